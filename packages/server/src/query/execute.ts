import type { Compiled, OutputColumn, TimeRange } from '@millrace/apl';
import { type Engine, EngineError, type QueryAnswer } from '@millrace/engine';
import { call, column, item, printExpr, printQuery, type Query, type Select } from '@millrace/sql';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { formColumn, textAt, valuesOf } from './columns.js';
import { withRowIds } from './cursor.js';
import { withRareFields } from './rare-fields.js';

/** Runs compiled queries on the engine. */

export interface ExecuteDependencies {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly settings: Settings;
  /** Numbers of the datasets with these names. */
  readonly datasetIds: (names: readonly string[]) => readonly number[];
}

/** A table of an answer: each column is the text of a JSON array. */
export interface AnswerTable {
  readonly output: readonly OutputColumn[];
  readonly columns: readonly Uint8Array[];
  readonly rows: number;
}

/** What a query gave, before it takes the shape a client asked for. */
export interface QueryOutcome {
  readonly compiled: Compiled;
  readonly table: AnswerTable;
  readonly totals?: AnswerTable;
  /** Row ids of the events, in order, a column like the others; absent if rows are no events. */
  readonly rowIds?: Uint8Array;
  readonly rowsExamined: number;
  /** Before any limit. */
  readonly rowsMatched: number;
  /** Rows the engine read for the answer itself. */
  readonly rowsRead: number;
  /** Time of the oldest and the newest event examined, nanoseconds since the epoch. */
  readonly times: TimeRange;
  /** Events acknowledged before the query are not in it: they cannot be stored at the moment. */
  readonly partial: boolean;
  readonly cached: boolean;
}

export interface ExecuteOptions {
  readonly signal: AbortSignal;
  /** Rows before a cursor are left out, so that a page tells nothing about how many match. */
  readonly continued?: boolean;
  /** Default: how many rows were examined and matched is found out. */
  readonly count?: boolean;
}

/**
 * Runs a query over everything acknowledged before it.
 * @throws EngineError
 */
export async function execute(
  compiled: Compiled,
  { signal, continued = false, count = true }: ExecuteOptions,
  deps: ExecuteDependencies,
): Promise<QueryOutcome> {
  const partial = !(await flushed(compiled, deps));
  const ask = (query: Query): Promise<QueryAnswer> =>
    deps.engine.query(printQuery(query), { format: 'JSONCompactColumns', signal, limits: limitsOf(deps.settings) });

  const counting = count ? countingOf(compiled, continued) : undefined;
  const later = counting?.untilFull !== undefined;
  const [answer, totals, examined, matchedAtOnce] = await Promise.all([
    ask(compiled.rowId === undefined ? compiled.query : withRowIds(compiled.query)),
    compiled.totals === undefined ? undefined : ask(compiled.totals.query),
    counting === undefined ? undefined : ask(counting.examined),
    later || counting?.matched === undefined ? undefined : ask(counting.matched),
  ]);
  const table = tableOf(compiled.output, answer);
  const rowsExamined = examined === undefined ? answer.rows : firstNumber(examined);
  // A page that is not full holds everything that matched; only behind a full one there may be more to count.
  const full = later && answer.rows >= counting.untilFull && counting.matched !== undefined;
  const matched = full ? await ask(counting.matched) : matchedAtOnce;
  return {
    compiled,
    table: compiled.rest === undefined ? table : withRareFields(table, answer.columns[compiled.output.length]!.values),
    ...(totals !== undefined && compiled.totals !== undefined && { totals: tableOf(compiled.totals.output, totals) }),
    ...(compiled.rowId !== undefined && { rowIds: answer.columns.at(-1)?.values ?? new Uint8Array() }),
    rowsExamined,
    rowsMatched: matched !== undefined ? firstNumber(matched) : later ? answer.rows : rowsExamined,
    rowsRead: answer.statistics.rowsRead,
    times: timesOf(compiled, examined, rowsExamined),
    partial,
    cached: false,
  };
}

/** Brings what was acknowledged into the engine; false if that cannot be right now, which is no reason not to read the rest. */
async function flushed({ datasets }: Compiled, { storage, datasetIds }: ExecuteDependencies): Promise<boolean> {
  try {
    await storage.flush(datasetIds(datasets));
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

export const limitsOf = (settings: Settings) => ({
  maxSeconds: settings.queryTimeout / 1000,
  maxMemoryBytes: settings.queryMemoryBytes,
  maxRowsRead: settings.queryMaxRowsRead,
  maxResultBytes: settings.queryMaxResultBytes,
});

// ---------------------------------------------------------------- counting

interface Counting {
  /** First column the number; of a single dataset also its oldest and newest time. */
  readonly examined: Query;
  /** Absent where nothing is filtered. */
  readonly matched?: Query;
  /** Fewer rows than this in the answer are all that matched. */
  readonly untilFull?: number;
}

function countingOf({ counts, query, rowId }: Compiled, continued: boolean): Counting | undefined {
  if (counts?.kind !== 'select') return undefined;
  const [examined, matched] = counts.columns;
  if (examined === undefined || matched === undefined) return undefined;
  const single: Select = { kind: 'select', columns: [examined] };
  if (printExpr(examined.expr) === printExpr(matched.expr)) return { examined: withTimes(single) };
  const plain = query.kind === 'select' && query.from?.kind === 'table' && query.arrayJoin === undefined;
  const limit = plain && rowId !== undefined && !continued ? query.limit : undefined;
  return {
    examined: withTimes(single),
    matched: { kind: 'select', columns: [matched] },
    ...(limit !== undefined && { untilFull: limit }),
  };
}

/** `SELECT (SELECT count() FROM t WHERE …)` → `SELECT count(), min(_time), max(_time) FROM t WHERE …`, which costs no more. */
function withTimes(query: Select): Query {
  const inner = query.columns[0]?.expr;
  if (inner?.kind !== 'scalarSubquery' || inner.query.kind !== 'select' || inner.query.from?.kind !== 'table')
    return query;
  const time = (name: 'min' | 'max') => item(call('toUnixTimestamp64Nano', call(name, column('_time'))), name);
  return { ...inner.query, columns: [...inner.query.columns, time('min'), time('max')] };
}

function timesOf(
  { timeRange }: Compiled,
  examined: QueryAnswer | undefined,
  rowsExamined: number,
): QueryOutcome['times'] {
  const [, min, max] = examined?.columns.map(({ values }) => firstText(values)) ?? [];
  // Without events there is no oldest one, yet clients want a time.
  if (rowsExamined === 0) return { start: 0n, end: 0n };
  return min === undefined || max === undefined ? timeRange : { start: BigInt(min), end: BigInt(max) };
}

// ---------------------------------------------------------------- columns

function tableOf(output: readonly OutputColumn[], answer: QueryAnswer): AnswerTable {
  const columns = output.map((column, i) =>
    formColumn(answer.columns[i]?.values ?? new Uint8Array(), column.json ? 'json' : 'plain'),
  );
  return { output, columns, rows: answer.rows };
}

/** First value of a column, as text. */
const firstText = (column: Uint8Array): string => textAt(valuesOf(column, 1), 0);

const firstNumber = ({ columns }: QueryAnswer): number =>
  Number(columns[0] === undefined ? 0 : firstText(columns[0].values));
