import type { Compiled, OutputColumn, TimeRange } from '@millrace/apl';
import { type Engine, EngineError, type QueryAnswer, type Settings as EngineSettings } from '@millrace/engine';
import { MetadataError } from '../metadata/metadata-error.js';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { type ColumnForm, formColumn, textAt, valuesOf } from './columns.js';
import type { Examined } from './examined.js';
import { withRareFields } from './rare-fields.js';
import { rowIdsOf } from './row-ids.js';
import { statementsOf } from './statements.js';
import { askWithTotals } from './with-totals.js';

/** Runs compiled queries on the engine. */

export interface ExecuteDependencies {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly settings: Settings;
  readonly examined: Examined;
  /** Numbers of the datasets of the query. */
  readonly datasetIds: readonly number[];
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
  const { storage, datasetIds } = deps;
  // Before the flush: what is acknowledged while it goes on has another version, and need not be in the answer.
  const version = statementsOf(compiled).repeatable ? storage.versionOf(datasetIds) : undefined;
  const partial = !(await flushed(deps));
  const known = partial ? undefined : version;
  const outcome = await storage.questions.ask(datasetIds, (settings, began) =>
    askEngine(compiled, { signal, continued, count, version: known }, { settings, began }, deps),
  );
  return { ...outcome, partial };
}

async function askEngine(
  compiled: Compiled,
  { signal, continued, count, version }: Required<ExecuteOptions> & { readonly version: string | undefined },
  { settings, began }: { readonly settings: EngineSettings; readonly began: (at: number) => void },
  deps: ExecuteDependencies,
): Promise<Omit<QueryOutcome, 'partial'>> {
  const limits = limitsOf(deps.settings);
  const ask = async (sql: string): Promise<QueryAnswer> => {
    const answer = await deps.engine.query(sql, { format: 'JSONCompactColumns', signal, limits, settings });
    began(performance.now() - answer.statistics.elapsedNanoseconds / 1e6);
    return answer;
  };

  const askOnce = (sql: string): Promise<QueryAnswer> => deps.examined.get(sql, version, ask);
  const statements = statementsOf(compiled);
  const counts = count ? statements.counts : undefined;
  const page = counts?.matched.kind === 'query' ? pageOf(compiled, continued) : undefined;
  const [{ answer, totals }, examined, counted] = await Promise.all([
    askWithTotals(compiled, statements, ask),
    counts === undefined ? undefined : askOnce(counts.examined),
    counts?.matched.kind === 'query' && page === undefined ? askOnce(counts.matched.sql) : undefined,
  ]);
  const table = tableOf(compiled.output, answer);
  // Without a count rows were made of nothing (`print`), or of what is known of a dataset without reading it (`getschema`).
  const made = compiled.datasets.length === 0 ? answer.rows : 0;
  const rowsExamined = examined === undefined ? made : firstNumber(examined);
  const matched = async (): Promise<number> => {
    switch (counts?.matched.kind) {
      case undefined:
      case 'all':
        return rowsExamined;
      case 'aggregated':
        return answer.rowsAggregated ?? 0;
      case 'query':
        if (counted !== undefined) return firstNumber(counted);
        // A page that is not full holds everything that matched; only behind a full one there may be more to count.
        return page === undefined || answer.rows < page ? answer.rows : firstNumber(await askOnce(counts.matched.sql));
    }
  };
  return {
    compiled,
    table: compiled.rest === undefined ? table : withRareFields(table, answer.columns[compiled.output.length]!.values),
    ...(totals !== undefined && compiled.totals !== undefined && { totals: tableOf(compiled.totals.output, totals) }),
    ...(compiled.rowId !== undefined && { rowIds: rowIdsOf(answer.columns, answer.rows) }),
    rowsExamined,
    rowsMatched: await matched(),
    rowsRead: answer.statistics.rowsRead,
    times: timesOf(compiled, examined, rowsExamined),
    cached: false,
  };
}

/** Brings what was acknowledged into the engine; false if that cannot be right now, which is no reason not to read the rest. */
async function flushed({ storage, datasetIds }: ExecuteDependencies): Promise<boolean> {
  try {
    await storage.flush(datasetIds);
    return true;
  } catch (error) {
    if (error instanceof EngineError || error instanceof MetadataError) return false;
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

/** Rows that make a page of events full; undefined where fewer rows do not mean that no more matched. */
function pageOf({ query, rowId }: Compiled, continued: boolean): number | undefined {
  const plain = query.from?.kind === 'table' && query.arrayJoin === undefined;
  return plain && rowId !== undefined && !continued ? query.limit : undefined;
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
  const columns = output.map((column, i) => formColumn(answer.columns[i]?.values ?? new Uint8Array(), formOf(column)));
  return { output, columns, rows: answer.rows };
}

/** Compiled queries are in the form `page`. */
const formOf = ({ json, types: [type] }: OutputColumn): ColumnForm =>
  json ? 'json' : type === 'datetime' ? 'time' : 'plain';

/** First value of a column, as text. */
const firstText = (column: Uint8Array): string => textAt(valuesOf(column, 1), 0);

const firstNumber = ({ columns }: QueryAnswer): number =>
  Number(columns[0] === undefined ? 0 : firstText(columns[0].values));
