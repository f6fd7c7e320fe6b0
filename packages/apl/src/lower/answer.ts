import { call, item, literal, select, withSettings } from '@millrace/sql';
import type { Expr, Select } from '@millrace/sql';
import type { CompiledQuery, CompileOptions, Counts, OutputColumn, RestOutput, Totals } from '../compiled-query.js';
import type { FoldContext, LowerContext, LoweredArgument } from '../functions/define.js';
import type { PlannedQuery } from '../passes/index.js';
import { prune } from '../passes/prune.js';
import type { Plan } from '../plan/nodes.js';
import type { ColumnId } from '../plan/scalar.js';
import { idsOf } from '../plan/schema.js';
import type { Field, RestColumns, Schema } from '../plan/schema.js';
import { typeNameOf } from '../model/result-types.js';
import { isDynamic } from '../model/types.js';
import { conditionCacheSettings } from './optimizations/condition-cache.js';
import { readLate } from './optimizations/late-columns.js';
import { PlanLowering } from './plan.js';
import { columnIn } from './scalar.js';
import type { ScalarScope } from './scalar.js';
import { blockSettings, indexSettings, speedSettings } from './optimizations/optimize.js';
import { combineWithTotals } from './answer-with-totals.js';
import { asJson, asString } from './values.js';

/**
 * Settings with which the engine reports how many rows it aggregated. It then reads all rows
 * instead of using the metadata of parts.
 */
export const countingSettings = {
  rows_before_aggregation: 1,
  optimize_use_implicit_projections: 0,
  optimize_trivial_count_query: 0,
} as const;

const restAlias = '@rest';
const arrivalAlias = '@sysTime';
const aliases = { time: '@time', seq: '@seq', row: '@row' } as const;

/** Lowers the plans of a result. */
export function answerOf(
  planned: PlannedQuery,
  { now, reference }: FoldContext,
  options: CompileOptions,
): Omit<CompiledQuery, 'kind' | 'datasets' | 'needs' | 'diagnostics' | 'chart'> {
  const { plan, totals, arrival, counted, timeRange, window, presentation, continuation, tiesAsSent, limitApplied } =
    planned;
  const context = { now, reference, range: window };
  const lowering = new PlanLowering(context);
  const output = plan.schema.fields.map(outputOf);
  const rowId = options.rowIds === true ? plan.schema.rowId : undefined;
  const hidden: readonly (readonly [alias: string, id: ColumnId])[] = [
    ...(arrival === undefined ? [] : [[arrivalAlias, arrival] as const]),
    ...(rowId === undefined
      ? []
      : ([
          [aliases.time, rowId.time],
          [aliases.seq, rowId.seq],
          [aliases.row, rowId.row],
        ] as const)),
  ];
  const { rest } = plan.schema;
  const answer = lowering.answer(plan, [
    ...columnsOf(plan.schema, output, options.output),
    ...hidden.map(([alias, id]) => ({ alias, sql: (scope: ScalarScope) => columnIn(scope, id) })),
  ]);
  const counting = planned.aggregatesMatched ? countingSettings : {};
  const query = withSettings(readLate(answer, aliases.time), { ...settingsOf(plan), ...counting });
  return {
    query,
    output,
    ...(rowId === undefined ? {} : { rowId: aliases }),
    ...(arrival === undefined ? {} : { arrival: arrivalAlias }),
    ...(rest === undefined ? {} : { rest: restOf(rest) }),
    presentation,
    ...(continuation === undefined ? {} : { continuation }),
    ...(tiesAsSent && { tiesAsSent }),
    ...(totals === undefined ? {} : { totals: totalsOf(totals, query, planned, context, options) }),
    ...(counted.length === 0 ? {} : { counts: countsOf(planned, lowering) }),
    ...(planned.dayFirst.length > 0 && {
      dayFirst: planned.dayFirst.map((texts) => dayFirstOf(texts, new PlanLowering(context))),
    }),
    timeRange,
    ...(limitApplied === undefined ? {} : { limitApplied }),
  };
}

/**
 * Reads only so many rows: it is no more than a hint, and a page of events must not wait for all of
 * them.
 */
const maxLookedAt = { max_rows_to_read: 1_000_000, read_overflow_mode: 'break' } as const;

const dayFirstOf = (texts: Plan, lowering: PlanLowering): Select =>
  withSettings(
    lowering.answer(
      prune(texts, new Set(idsOf(texts.schema))),
      columnsOf(texts.schema, texts.schema.fields.map(outputOf), undefined),
    ),
    maxLookedAt,
  );

function totalsOf(
  plan: Plan,
  series: Select,
  { presentation }: PlannedQuery,
  context: LowerContext,
  options: CompileOptions,
): Totals {
  const output = plan.schema.fields.map(outputOf);
  const answer = new PlanLowering(context).answer(plan, columnsOf(plan.schema, output, options.output));
  const query = withSettings(answer, settingsOf(plan));
  const { rest } = plan.schema;
  const both = combineWithTotals(series, query);
  return {
    query,
    output,
    ...(rest === undefined ? {} : { rest: restOf(rest) }),
    order: presentation.order.filter((key) => key.field !== presentation.bucket?.field),
    ...(both === undefined ? {} : { together: both }),
  };
}

const restOf = ({ role }: RestColumns): RestOutput => ({
  alias: restAlias,
  ...(role?.kind === 'aggregate' && { agg: role.api }),
  ...(role?.kind === 'group' && { isGroup: true }),
});

const settingsOf = (plan: Plan): NonNullable<Select['settings']> => ({
  ...speedSettings(plan),
  ...conditionCacheSettings([plan]),
});

function outputOf(field: Field): OutputColumn {
  const types = field.readings.map((reading) => reading.type);
  return {
    name: field.name,
    alias: `${field.name}@`,
    types,
    typeName: typeNameOf(types),
    json: types.length > 1 || types.some(isDynamic),
    ...(field.role?.kind === 'aggregate' ? { agg: field.role.api } : {}),
  };
}

function columnsOf(
  schema: Schema,
  output: readonly OutputColumn[],
  format: CompileOptions['output'],
): readonly { readonly alias: string; readonly sql: (scope: ScalarScope) => Expr }[] {
  const { fields, rest } = schema;
  const cells = fields.map((field, i) => ({
    alias: output[i]?.alias ?? field.name,
    sql: (scope: ScalarScope) => cell(field, scope, format ?? 'json'),
  }));
  return rest === undefined
    ? cells
    : [...cells, { alias: restAlias, sql: (scope: ScalarScope) => columnIn(scope, rest.bag) }];
}

/** The SQL of a cell as it leaves the engine. */
function cell(field: Field, scope: ScalarScope, format: OutputForm): Expr {
  const readings = field.readings.map(({ type, id }) => ({ type, sql: columnIn(scope, id) }));
  const [only, ...others] = readings;
  if (only === undefined) throw new RangeError(`field without readings: ${field.name}`);
  if (others.length > 0) return call('coalesce', ...readings.map(wordingOf(format)));
  if (only.type === 'bool') return call('toBool', only.sql);
  if (only.type === 'datetime' && !keepsTimes.has(format)) return asString(only);
  return only.sql;
}

type OutputForm = NonNullable<CompileOptions['output']>;

const isJson = (form: OutputForm): boolean => form === 'json' || form === 'page';

/** How the values of a mixed field are written. */
function wordingOf(form: OutputForm): (reading: LoweredArgument) => Expr {
  if (!isJson(form)) return asString;
  return form === 'page' ? asJson : (reading) => (reading.type === 'real' ? asFloat(reading) : asJson(reading));
}

/**
 * Formats a real as JSON. The engine prints 1.0 as 1, which readers of an export would take for an
 * integer.
 */
const asFloat = (real: LoweredArgument): Expr =>
  call('replaceRegexpOne', asJson(real), literal('^-?[0-9]+$'), literal('\\0.0'));

/** Forms in which a datetime stays a datetime. */
const keepsTimes: ReadonlySet<OutputForm> = new Set(['native', 'page']);

function countsOf({ counted, aggregatesMatched }: PlannedQuery, lowering: PlanLowering): Counts {
  const count = (plan: Plan): Select => lowering.count(prune(plan, new Set()));
  const sum = (queries: readonly Select[]): Select => {
    if (queries.length === 1 && queries[0] !== undefined) return queries[0];
    const counts = queries.map((query): Expr => ({ kind: 'scalarSubquery', query }));
    return select({ columns: [item(sumOf(counts), 'count@')] });
  };
  const all = counted.every(({ examined, matched }) => examined === matched);
  const matched = counted.map((each) => each.matched);
  const scans = counted.flatMap(({ examined }) => examined ?? []);
  const matchedSettings = { ...blockSettings, ...indexSettings(matched), ...conditionCacheSettings(matched) };
  return {
    examined: scans.map((examined) =>
      withSettings(count(examined), scans.length === 1 ? indexSettings([examined]) : {}),
    ),
    matched: all
      ? { kind: 'all' }
      : aggregatesMatched
        ? { kind: 'aggregated' }
        : { kind: 'query', query: withSettings(sum(counted.map(({ matched }) => count(matched))), matchedSettings) },
  };
}

/**
 * By halves: a thousand datasets, nested one in another, would be deeper than the engine can parse.
 */
function sumOf(exprs: readonly Expr[]): Expr {
  const [first, ...others] = exprs;
  if (first === undefined) throw new RangeError('nothing to add up');
  if (others.length === 0) return first;
  const half = Math.ceil(exprs.length / 2);
  return call('plus', sumOf(exprs.slice(0, half)), sumOf(exprs.slice(half)));
}
