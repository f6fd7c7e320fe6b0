import type { Span } from '@millrace/apl/positions';
import { FilterChecker } from './check/filters.js';
import { Parameters } from './check/parameters.js';
import { StepChecker } from './check/steps.js';
import { rangeOf } from './check/ranges.js';
import { type Diagnostic, DiagnosticSink } from './model/diagnostics.js';
import { chartInterval } from './plan/interval.js';
import type { Node, Plan, Range } from './plan/plan.js';
import type { Directive, Query, Source } from './syntax/ast.js';
import { parse } from './syntax/parse.js';

interface CompileOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The range of the request. */
  readonly range?: Range;
  /** Texts of literals, by the name of the parameter. */
  readonly params?: Readonly<Record<string, string>>;
  /** How many points the client wants. */
  readonly points?: number;
}

type CompileResult =
  | { readonly kind: 'compiled'; readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'failed'; readonly diagnostics: readonly Diagnostic[] };

/** Compiles a query. Pure, and never throws because of the text. */
export function compile(text: string, { now, range, params = {}, points }: CompileOptions): CompileResult {
  const sink = new DiagnosticSink();
  const { file } = parse(text, sink);
  const { query } = file;
  if (query === undefined || sink.failed) return failedCompilation(sink);
  const sources = sourcesOf(query);
  const ranges = sources.map((source) => rangeOf(source, range, now, sink));
  const [first] = ranges;
  if (first === undefined || ranges.includes(undefined)) return failedCompilation(sink);
  const interval = chartInterval(first.end - first.start, points);
  const values = new Parameters(file, params, interval, sink);
  const filters = new FilterChecker(values, sink);
  const steps = new StepChecker(values, filters, sink);
  const names = sources.map(({ dataset: { text, span, isParam } }) => {
    if (!isParam) return text;
    const value = values.resolve({ kind: 'param', name: text, span });
    return value?.kind === 'string' ? value.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') : '';
  });
  const other = names.findIndex((name) => name !== names[0]);
  if (other > 0)
    sink.error(
      sources[other]!.dataset.span,
      'a query reads a single dataset; use the same one in all sources',
      undefined,
      'not_supported',
    );
  const rangeOfSource = new Map(sources.map((source, i) => [source, ranges[i]!]));

  const nodeOf = (one: Query): Node => {
    if (one.kind === 'compute')
      return {
        kind: 'compute',
        left: nodeOf(one.left),
        right: nodeOf(one.right),
        name: one.name.text,
        fn: steps.computeFunction(one.fn),
        steps: steps.steps(one.pipes),
      };
    const { source, offset, sample, filters: conditions, pipes } = one;
    if (sample !== undefined && !(sample.value > 0 && sample.value <= 1))
      sink.error(sample.span, 'a sample is a fraction of the series between 0 and 1', undefined, 'type');
    const filter = filters.all(conditions);
    return {
      kind: 'fetch',
      dataset: names[0]!,
      metric: source.metric.text,
      name: (source.alias ?? source.metric).text,
      range: rangeOfSource.get(source)!,
      offset: offset?.milliseconds ?? 0,
      sample: sample?.value ?? 1,
      ...(filter && { filter }),
      steps: steps.steps(pipes),
    };
  };

  const root = nodeOf(query);
  const customUnit = customUnitOf(file.directives, sink);
  if (sink.failed) return failedCompilation(sink);
  const plan = { dataset: names[0]!, root, interval, ...(customUnit !== undefined && { customUnit }) };
  return { kind: 'compiled', plan, diagnostics: sink.inOrder() };
}

const failedCompilation = (sink: DiagnosticSink): CompileResult => ({ kind: 'failed', diagnostics: sink.inOrder() });

const sourcesOf = (query: Query): readonly Source[] =>
  query.kind === 'simple' ? [query.source] : [...sourcesOf(query.left), ...sourcesOf(query.right)];

function customUnitOf(directives: readonly Directive[], sink: DiagnosticSink): string | undefined {
  let unit: string | undefined;
  for (const { name, value } of directives) {
    const span: Span = name.span;
    if (name.text !== 'custom_unit') sink.warning(span, `the setting '${name.text}' has no effect`);
    else if (value !== undefined && 'kind' in value && value.kind === 'string')
      unit = value.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    else sink.error(span, 'custom_unit needs a string, such as "By"', undefined, 'type');
  }
  return unit;
}
