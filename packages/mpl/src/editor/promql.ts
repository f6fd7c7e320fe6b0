import { compile } from '../compile.js';
import type { Node, Plan, Step } from '../plan/plan.js';
import { histogramText } from './promql-histogram.js';
import { conditionsOf } from './promql-labels.js';
import { durationText, labelText, numberText, quoteText, selectorText, Untranslatable } from './promql-text.js';

/** A query as PromQL, or a sentence that says which part PromQL cannot express. */
type Translation =
  | { readonly kind: 'promql'; readonly text: string }
  | { readonly kind: 'problem'; readonly message: string };

interface PromqlOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Time range of the request, in milliseconds since the epoch. */
  readonly range: { readonly start: number; readonly end: number };
  /** How many points the client draws: it determines `$__interval`. */
  readonly points?: number;
}

/**
 * Translates a query into PromQL. Dataset and time range are left out: they belong to the address
 * and the request. Windows of MPL begin where those of PromQL end, and `rate` extrapolates.
 */
export function asPromql(text: string, { now, range, points }: PromqlOptions): Translation {
  const compiled = compile(text, { now, range, ...(points !== undefined && { points }) });
  if (compiled.kind === 'failed') {
    // A range in the text is the only mistake that depends on the request.
    const own = compile(text, { now });
    if (own.kind === 'compiled')
      return problem('PromQL takes its time range from the request; remove the one in the query');
    return problem(
      compiled.diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'The query has mistakes',
    );
  }
  try {
    return { kind: 'promql', text: nodeText(compiled.plan.root, compiled.plan) };
  } catch (error) {
    if (error instanceof Untranslatable) return problem(error.message);
    throw error;
  }
}

const problem = (message: string): Translation => ({ kind: 'problem', message });

function nodeText(node: Node, plan: Plan): string {
  if (node.kind === 'compute') {
    const [left, right] = [nodeText(node.left, plan), nodeText(node.right, plan)];
    return stepsText({ text: combineSides(node.fn, left, right), width: plan.interval }, node.steps);
  }
  if (node.sample !== 1) throw new Untranslatable('PromQL cannot take a sample of the series');
  const labels = node.filter === undefined ? [] : conditionsOf(node.filter);
  const offset = node.offset === 0 ? '' : ` offset ${durationText(-node.offset)}`;
  const source = { metric: node.metric, labels, offset };
  const [first, ...rest] = withWindows(node.steps, plan.interval);
  if (first?.kind === 'bucket') return stepsText({ text: histogramText(source, first), width: first.width! }, rest);
  if (first?.kind !== 'align') throw new Untranslatable(unalignedProblem(first));
  const window = `${selectorText(source.metric, labels)}[${durationText(widthOf(first))}]${offset}`;
  return stepsText({ text: windowText(first.fn, window), width: widthOf(first) }, rest);
}

/** Steps that need windows get those of the chart. */
function withWindows(steps: readonly Step[], interval: number): readonly Step[] {
  const [first] = steps;
  const hasNone =
    first === undefined || ['group', 'as', 'extend'].includes(first.kind) || (first.kind === 'map' && !isRate(first));
  return hasNone ? [{ kind: 'align', width: interval, fn: 'last' }, ...steps] : steps;
}

const isRate = (step: Extract<Step, { readonly kind: 'map' }>): boolean => step.fn === 'rate' || step.fn === 'increase';

const unalignedProblem = (step: Step | undefined): string =>
  step?.kind === 'map'
    ? `PromQL has no 'map ${step.fn}' from one point to the next; write 'align to … using prom::rate'`
    : 'PromQL cannot express this query';

interface Expression {
  readonly text: string;
  /** Milliseconds between its values. */
  readonly width: number;
}

function stepsText(start: Expression, steps: readonly Step[]): string {
  let { text, width } = start;
  for (const step of steps) {
    if (step.kind === 'align') {
      const next = widthOf(step);
      text = windowText(step.fn, `(${text})[${durationText(next)}:${durationText(width)}]`);
      width = next;
    } else text = stepText(text, step);
  }
  return text;
}

function stepText(text: string, step: Exclude<Step, { readonly kind: 'align' }>): string {
  switch (step.kind) {
    case 'group':
      return `${step.fn}${step.by.length === 0 ? '' : ` by (${step.by.map(labelText).join(', ')}) `}(${text})`;
    case 'map':
      return mapText(text, step.fn, numberText(step.argument));
    case 'extend':
      return step.tags.reduce((inner, tag) => {
        if (tag.kind === 'text') throw new Untranslatable(`PromQL cannot insert tags into the value of '${tag.tag}'`);
        if (tag.value.type === 'array') throw new Untranslatable(`PromQL has no lists: '${tag.tag}'`);
        const value = quoteText(String(tag.value.value).replaceAll('$', '$$$$'));
        return `label_replace(${inner}, ${quoteText(tag.tag)}, ${value}, "", "")`;
      }, text);
    case 'as':
      // Results of functions have no name in PromQL.
      return text;
    case 'bucket':
      throw new Untranslatable(
        "PromQL needs the buckets of a histogram: 'bucket' must be the first step after the filters",
      );
  }
}

const comparisons: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=', eq: '==', neq: '!=' };

function mapText(text: string, fn: string, argument: string): string {
  const [family, test] = fn.split('::');
  const sign = comparisons[test ?? ''];
  if (family === 'filter' && sign !== undefined) return `(${text}) ${sign} ${argument}`;
  if (family === 'is' && sign !== undefined) return `(${text}) ${sign} bool ${argument}`;
  switch (fn) {
    case '+':
    case '-':
    case '*':
    case '/':
      return `(${text}) ${fn} ${argument}`;
    case 'abs':
      return `abs(${text})`;
    case 'min':
      return `clamp_max(${text}, ${argument})`;
    case 'max':
      return `clamp_min(${text}, ${argument})`;
    default:
      throw new Untranslatable(
        fn === 'rate' || fn === 'increase'
          ? `PromQL has no 'map ${fn}' from one window to the next; write 'align to … using prom::rate'`
          : `PromQL cannot fill gaps as 'map ${fn}' does`,
      );
  }
}

const overTime: Readonly<Record<string, string>> = {
  avg: 'avg_over_time',
  min: 'min_over_time',
  max: 'max_over_time',
  sum: 'sum_over_time',
  count: 'count_over_time',
  last: 'last_over_time',
  'prom::rate': 'rate',
};

const windowText = (fn: string, window: string): string => `${overTime[fn]!}(${window})`;

function widthOf({ width }: { readonly width?: number }): number {
  if (width === undefined) throw new Untranslatable("PromQL needs windows of a fixed width: write 'align to 5m …'");
  return width;
}

function combineSides(fn: string, left: string, right: string): string {
  switch (fn) {
    case 'avg':
      return `((${left}) + (${right})) / 2`;
    case 'min':
    case 'max':
      throw new Untranslatable(`PromQL cannot take the '${fn}' of two queries`);
    default:
      return `(${left}) ${fn} (${right})`;
  }
}
