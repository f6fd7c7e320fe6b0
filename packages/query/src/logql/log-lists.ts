import type { Ast } from '@millrace/apl';
import {
  call,
  column,
  flatLabels,
  jsonWithDigits,
  literal,
  logfmtLabels,
  LogqlProblem,
  type LogQuery,
  type Matcher,
  namedExpr,
  parse,
  Pipeline,
  programOf,
  type Schema,
} from '@millrace/logql';
import { requestBounds } from '@millrace/api/limits';
import type { QueryRunContext } from '../context.js';
import { retryOnChange } from '../retries.js';
import { groupableFields } from './groupable-fields.js';
import { lokiError } from './loki-error.js';
import { type FoundLine, runLog } from './run-log.js';
import { Cells, runProgram } from './run-program.js';
import { datasetLabel, readableDatasets, type Target, withoutDatasetName } from './target.js';

/** Lists of labels, their values, and what fields lines have. */

export interface ListRequest {
  readonly target: Target;
  readonly context: QueryRunContext;
  /** Selectors of the request: one of them must match; all events if empty. */
  readonly selectors: readonly LogQuery[];
  /** Nanoseconds, both inclusive. */
  readonly range: { readonly start: bigint; readonly end: bigint };
}

/** Entries of a list; more are left out. */
const maxEntries = requestBounds.metricEntries.max;

/**
 * The selector of a text; undefined for an empty one.
 * @throws LogqlProblem, HttpError for another query
 */
export function selectorOf(text: string): LogQuery | undefined {
  if (text.trim() === '' || /^\s*\{\s*\}\s*$/.test(text)) return undefined;
  const query = parse(text);
  if (query.kind !== 'log') throw lokiError('a selector is expected, as in {app="web"}, not a metric query');
  return query.log;
}

const selectorsOf = ({ selectors }: ListRequest): readonly (readonly Matcher[])[] =>
  selectors.map(({ selector }) => selector);

/** Names of labels; without a dataset, the label that names it. */
export async function labelNames({ target, ...request }: ListRequest): Promise<readonly string[]> {
  const selectors = selectorsOf({ target, ...request });
  if ((await target.name(selectors)) === undefined) return [datasetLabel];
  return (await target.schema(selectors)).labels().slice(0, maxEntries);
}

export async function labelValues(request: ListRequest, label: string): Promise<readonly string[]> {
  const { target, context } = request;
  if ((await target.name(selectorsOf(request))) === undefined)
    return label === datasetLabel ? readableDatasets(context.call, context.service) : [];
  const rows = await valuesBy(request, (schema) => (schema.has(label) ? [label] : []));
  return rows
    .map(([value]) => value!)
    .filter((value) => value !== '')
    .toSorted();
}

/** Combinations of the labels that have few values. */
export async function seriesOf(request: ListRequest): Promise<readonly Readonly<Record<string, string>>[]> {
  let names: readonly string[] = [];
  const rows = await valuesBy(request, async (schema) => {
    names = await groupableFields(schema, conditions(request, schema), request.range, request.context);
    return names;
  });
  return rows.map((row) =>
    Object.fromEntries(names.flatMap((name, i) => (row[i] === '' ? [] : [[name, row[i]!] as const]))),
  );
}

/** Values of labels that occur together, the most frequent first. */
function valuesBy(
  request: ListRequest,
  labelsOf: (schema: Schema) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly (readonly string[])[]> {
  const { target, context, range } = request;
  return retryOnChange({
    prepare: () => target.schema(selectorsOf(request)),
    perform: async (schema) => {
      const labels = await labelsOf(schema);
      if (labels.length === 0) return [];
      const by = labels.map((label, i) => {
        const text = schema.text(label, nowhere)!;
        return namedExpr(`label ${i}`, call(nowhere, 'coalesce', text, literal('', nowhere)));
      });
      const program = programOf(
        schema.dataset,
        [
          ...conditions(request, schema),
          { kind: 'summarize', aggregates: [namedExpr('lines', call(nowhere, 'count'))], by, span: nowhere },
          { kind: 'sort', keys: [{ value: column('lines', nowhere), direction: 'desc' }], span: nowhere },
        ],
        nowhere,
      );
      const { table } = await runProgram(program, { range, limit: maxEntries }, context);
      const cells = labels.map((_, i) => new Cells(table, `label ${i}`));
      return Array.from({ length: table.rows }, (_, row) => cells.map((each) => each.text(row) ?? ''));
    },
  });
}

const nowhere: Ast.Span = { start: 0, end: 0 };

/** Conditions of the selectors, whose stages count as well. */
function conditions({ selectors }: ListRequest, schema: Schema): readonly Ast.Operator[] {
  const [log, ...others] = selectors;
  if (log === undefined) return [];
  if (others.length > 0)
    throw lokiError('several selectors in one request are not supported; send one request for each');
  const fail = (span: Ast.Span, message: string): never => {
    throw new LogqlProblem('', span, message);
  };
  return new Pipeline(withoutDatasetName(log, schema), schema, fail).operators;
}

interface Statistics {
  readonly streams: number;
  readonly chunks: number;
  readonly entries: number;
  readonly bytes: number;
}

/** Lines and their bytes; streams and chunks do not exist here. */
export function statistics(request: ListRequest): Promise<Statistics> {
  const { target, context, range } = request;
  return retryOnChange({
    prepare: () => target.schema(selectorsOf(request)),
    perform: async (schema) => {
      const [log] = request.selectors;
      const fail = (span: Ast.Span, message: string): never => {
        throw new LogqlProblem('', span, message);
      };
      const all: LogQuery = log ?? { selector: [], stages: [], span: nowhere };
      const pipeline = new Pipeline(withoutDatasetName(all, schema), schema, fail);
      const line = call(nowhere, 'coalesce', pipeline.line, literal('', nowhere));
      const aggregates = [
        namedExpr('entries', call(nowhere, 'count')),
        namedExpr('bytes', call(nowhere, 'sum', call(nowhere, 'string_size', line))),
      ];
      const program = programOf(
        schema.dataset,
        [...pipeline.operators, { kind: 'summarize', aggregates, by: [], span: nowhere }],
        nowhere,
      );
      const { table } = await runProgram(program, { range, limit: 1 }, context);
      const value = (name: string): number => (table.rows === 0 ? 0 : new Cells(table, name).number(0) || 0);
      return { streams: 0, chunks: 0, entries: value('entries'), bytes: value('bytes') };
    },
  });
}

interface DetectedField {
  readonly label: string;
  readonly type: string;
  readonly cardinality: number;
  readonly parsers: readonly string[];
}

/** Lines whose fields are looked for. */
const sampledLines = 1000;

/** The fields of the newest lines that are JSON or logfmt. */
export async function detectedFields(request: ListRequest): Promise<readonly DetectedField[]> {
  const found = new Map<string, { readonly values: Set<string>; readonly parsers: Set<string> }>();
  for (const { line, parsed } of await sample(request)) {
    const [parser, labels] = fieldsOf(line);
    for (const [label, value] of new Map([...labels, ...parsed])) {
      const field = found.get(label) ?? { values: new Set(), parsers: new Set() };
      found.set(label, field);
      field.values.add(value);
      if (labels.has(label)) field.parsers.add(parser);
    }
  }
  return [...found].map(([label, { values, parsers }]) => ({
    label,
    type: typeOf(values),
    cardinality: values.size,
    parsers: [...parsers],
  }));
}

/** The values of a field in the newest lines. */
export async function detectedValues(request: ListRequest, name: string): Promise<readonly string[]> {
  const values = new Set<string>();
  for (const { line, parsed } of await sample(request)) {
    const value = parsed.get(name) ?? fieldsOf(line)[1].get(name);
    if (value !== undefined) values.add(value);
  }
  return [...values].toSorted();
}

async function sample({ selectors, target, context, range }: ListRequest): Promise<readonly FoundLine[]> {
  const log: LogQuery = selectors[0] ?? { selector: [], stages: [], span: nowhere };
  const asked = { text: '', log, range: { start: range.start, end: range.end + 1n } };
  return (await runLog({ ...asked, limit: sampledLines, newestFirst: true }, target, context)).lines;
}

function fieldsOf(line: string): readonly [parser: string, fields: ReadonlyMap<string, string>] {
  const object = line.trimStart().startsWith('{') ? jsonWithDigits(line) : undefined;
  if (object !== undefined) return ['json', flatLabels(object)];
  return ['logfmt', line.includes('=') ? logfmtLabels(line) : new Map()];
}

function typeOf(values: ReadonlySet<string>): string {
  const all = [...values];
  if (all.every((value) => /^-?\d+$/.test(value))) return 'int';
  if (all.every((value) => value !== '' && Number.isFinite(Number(value)))) return 'float';
  if (all.every((value) => value === 'true' || value === 'false')) return 'boolean';
  if (all.every((value) => /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(value))) return 'duration';
  return 'string';
}

/** Labels and how many values each has among the newest lines. */
export async function detectedLabels(
  request: ListRequest,
): Promise<readonly { readonly label: string; readonly cardinality: number }[]> {
  const found = new Map<string, Set<string>>();
  for (const { fields } of await sample(request))
    for (const [label, value] of fields) found.set(label, (found.get(label) ?? new Set()).add(value));
  return [...found].map(([label, values]) => ({ label, cardinality: values.size }));
}
