import { Breath, taken } from '../../async/breath.js';
import type { Compiled, OutputColumn, TimeRange } from '@millrace/apl';
import {
  type Engine,
  EngineError,
  type Priority,
  type QueryAnswer,
  type Settings as EngineSettings,
} from '@millrace/engine';
import { readsNothing } from '@millrace/sql';
import type { Metrics } from '../../metrics.js';
import type { Arrived } from '../../storage/questions.js';
import type { EventStorage } from '../../storage/event-storage.js';
import type { Settings } from '../../settings/settings.js';
import type { Grant } from './engine-turns.js';
import { type ColumnForm, formingColumn, textAt, valuesOf } from './columns.js';
import { type BroughtIn, bringIn } from './brought-in.js';
import { askTimes, timesOf } from './examined-times.js';
import { countOf, type Examined } from './examined.js';
import { askNewest } from './newest-page.js';
import { marked } from './progress.js';
import type { NewestPartitions } from './newest-partitions.js';
import { withRareFields } from './rare-fields.js';
import { toldCount } from './own-count.js';
import { makingRowIds } from './row-ids.js';
import { statementsOf } from './statements.js';
import { withWords } from './with-words.js';
import { withoutRange } from './without-range.js';
import { askWithTotals, type WithTotals } from './with-totals.js';

/** Runs compiled queries on the engine. */

interface ExecuteDependencies {
  readonly engine: Engine;
  readonly storage: EventStorage;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly examined: Examined;
  readonly newest: NewestPartitions;
  /** Numbers of the datasets of the query. */
  readonly datasetIds: readonly number[];
}

/** A table of an answer: each column is the text of a JSON array. */
export interface AnswerTable {
  readonly output: readonly OutputColumn[];
  readonly columns: readonly Uint8Array[];
  readonly rows: number;
}

/** The result of a query, before it takes the format a client asked for. */
export interface QueryOutcome {
  readonly compiled: Compiled;
  readonly table: AnswerTable;
  readonly totals?: AnswerTable;
  /** Row ids of the events, in order, a column like the others; absent if rows are not events. */
  readonly rowIds?: Uint8Array;
  /**
   * When each event arrived, a column like the others; absent if that was not asked for or a column
   * of the table tells.
   */
  readonly arrivals?: Uint8Array;
  readonly rowsExamined: number;
  /** Before any limit. */
  readonly rowsMatched: number;
  /**
   * A text that puts the day first, if the query reads such a text as a time with the month first.
   */
  readonly dayFirst?: string;
  /** Rows the engine read for the answer itself. */
  readonly rowsRead: number;
  /**
   * The part of the query's range between the oldest and the newest event of its datasets,
   * nanoseconds since the epoch.
   */
  readonly times: TimeRange;
  /**
   * Whether events acknowledged before the query are missing, because they cannot be stored at the
   * moment.
   */
  readonly partial: boolean;
  readonly cached: boolean;
  /** The position up to which nothing was on its way when the engine was asked. */
  readonly settled: bigint;
  /** With `arrived.late`: positions of batches that were left out, see `Questions.held`. */
  readonly held?: readonly bigint[];
}

export interface ExecuteOptions {
  readonly signal: AbortSignal;
  /** What was brought in before, for all datasets of the query. */
  readonly broughtIn: BroughtIn;
  /** When all statements of the query must be over, by `performance.now()`. */
  readonly deadline: number;
  /**
   * Time of the event from which the query continues: rows before it are left out, so the size of a
   * page does not tell how many match.
   */
  readonly cursor?: bigint | undefined;
  /** Whether to find out how many rows were examined and matched; the default is true. */
  readonly count?: boolean;
  /** Only events that arrived then. Such an answer is kept nowhere. */
  readonly arrived?: Arrived;
  /** What was brought in: only up to this position. Everything if left out. */
  readonly upTo?: bigint;
  /** The id of the query, by which its progress is found; without, nobody sees it. */
  readonly id?: string | undefined;
  /** How the statements wait for the engine; the default is `normal`. */
  readonly priority?: Priority;
  /** What it may use of the engine; as much as the settings say if left out. */
  readonly grant?: Grant;
}

/**
 * Runs a query over everything that was brought in for it.
 * @throws EngineError
 */
export async function execute(
  compiled: Compiled,
  {
    signal,
    broughtIn: { version, partial },
    deadline,
    cursor,
    count = true,
    arrived,
    upTo,
    id,
    priority = 'normal',
    grant = unlimited,
  }: ExecuteOptions,
  deps: ExecuteDependencies,
): Promise<QueryOutcome> {
  const { storage, datasetIds } = deps;
  const mayBeKept = arrived === undefined && storage.knowsVersions && statementsOf(compiled).repeatable;
  const known = !mayBeKept || partial || upTo !== undefined ? undefined : version;
  const settled = storage.questions.settled(datasetIds);
  // What goes in while the engine is asked is left out all the same: nothing may be both seen and
  // held.
  const held = arrived?.late === undefined ? undefined : storage.questions.held(datasetIds);
  const ask = () =>
    storage.readers.during(datasetIds, signal, (signal) =>
      storage.questions.ask(
        datasetIds,
        (settings, began) =>
          askEngine(
            compiled,
            { signal, deadline, cursor, count, version: known, id, priority, grant },
            { settings, began },
            deps,
          ),
        held === undefined ? arrived : { ...arrived, without: held },
      ),
    );
  const outcome = await ask().catch(async (error: unknown) => {
    // Fields are known once their events are acknowledged; their columns are made when those go
    // into the engine.
    if (!(error instanceof EngineError) || error.code !== 'unknown-column') throw error;
    if (upTo !== undefined && !(await bringIn(deps)).partial) return ask();
    throw partial ? new EngineError('unavailable', error.detail) : error;
  });
  return { ...outcome, partial, settled, ...(held !== undefined && { held }) };
}

const unlimited: Grant = { memoryBytes: Infinity, statement: (work) => work() };

type AskOptions = Required<Omit<ExecuteOptions, 'arrived' | 'upTo' | 'broughtIn'>> & {
  readonly version: string | undefined;
};
type Asked = Omit<QueryOutcome, 'partial' | 'settled'>;

interface AskContext {
  readonly settings: EngineSettings;
  readonly began: (at: number) => void;
}

async function askEngine(
  compiled: Compiled,
  options: AskOptions,
  context: AskContext,
  deps: ExecuteDependencies,
): Promise<Asked> {
  const shorter = await withoutRange(compiled, deps.datasetIds, deps.storage);
  const outcome = await askStatements(compiled, shorter.compiled, options, context, deps);
  return shorter.holds() ? outcome : askStatements(compiled, compiled, options, context, deps);
}

/** @param written the query, or one that gives the same answer */
async function askStatements(
  compiled: Compiled,
  written: Compiled,
  { signal, deadline, cursor, count, version, id, priority, grant }: AskOptions,
  { settings, began }: AskContext,
  deps: ExecuteDependencies,
): Promise<Asked> {
  const limits = limitsOf(deps.settings, grant.memoryBytes);
  const ask = async (sql: string): Promise<QueryAnswer> => {
    const options = {
      format: 'JSONCompactColumns',
      signal,
      limits,
      deadline,
      settings: id === undefined ? settings : { ...settings, ...marked(id) },
      priority,
    } as const;
    const answer = await grant.statement(() => deps.engine.query(sql, options));
    began(performance.now() - answer.statistics.elapsedNanoseconds / 1e6);
    deps.metrics.count('query_rows_read_total', answer.statistics.rowsRead);
    return answer;
  };

  const askOnce = (sql: string): Promise<QueryAnswer> => deps.examined.get(sql, version, ask);
  const asked = await withWords(written, deps.datasetIds, deps.storage);
  const statements = statementsOf(asked);
  // Such an answer is the same for all words that no event has, and at all times.
  const askRows =
    statements.repeatable && asksNothing(asked)
      ? async (sql: string) => copyOf(await deps.examined.get(sql, 'none', ask))
      : ask;
  const counts = count ? statements.counts : undefined;
  const page = counts?.matched.kind === 'query' ? pageOf(compiled, cursor !== undefined) : undefined;
  const answered = async (): Promise<WithTotals> => {
    // A query whose rows change from one statement to the next, such as a sample, does not have its
    // newest rows in the newest partitions alone.
    const newest = statements.repeatable ? await askNewest(compiled, { ...deps, cursor, ask }) : undefined;
    return newest ?? askWithTotals(asked, statements, askRows);
  };
  const [{ answer, totals }, dayFirst, times, inRange, counted] = await Promise.all([
    answered(),
    count ? firstText(statements.dayFirst, ask) : undefined,
    counts === undefined ? undefined : askTimes(counts.examined, askOnce),
    counts?.examined.inRange === undefined || counts.own !== undefined
      ? undefined
      : askOnce(counts.examined.inRange.count),
    counts?.matched.kind === 'query' && page === undefined ? askOnce(counts.matched.sql) : undefined,
  ]);
  const table = await tableOf(compiled, answer, limits.maxResultBytes);
  // Without counts, rows were made from nothing (`print`) or from what is known about a dataset
  // without reading it (`getschema`).
  const made = compiled.datasets.length === 0 ? answer.rows : 0;
  const examined = inRange ?? times;
  const rowsExamined = toldCount(counts?.own, answer) ?? (examined === undefined ? made : countOf(examined));
  const matched = async (): Promise<number> => {
    switch (counts?.matched.kind) {
      case undefined:
        return statements.counts === undefined ? answer.rows : rowsExamined;
      case 'all':
        return rowsExamined;
      case 'aggregated':
        return answer.rowsAggregated ?? 0;
      case 'query':
        if (counted !== undefined) return countOf(counted);
        // A page that is not full holds everything that matched; only after a full one can there be
        // more to count.
        return page === undefined || answer.rows < page ? answer.rows : countOf(await askOnce(counts.matched.sql));
    }
  };
  return {
    compiled,
    table,
    ...(totals !== undefined &&
      compiled.totals !== undefined && { totals: await tableOf(compiled.totals, totals, limits.maxResultBytes) }),
    ...(compiled.rowId !== undefined && {
      rowIds: await taken(makingRowIds(answer.columns, answer.rows), new Breath()),
    }),
    // It stands before the three columns of the row id.
    ...(compiled.arrival !== undefined && {
      arrivals: await taken(formingColumn(answer.columns.at(-4)!.values, 'time'), new Breath()),
    }),
    rowsExamined,
    ...(dayFirst !== undefined && { dayFirst }),
    rowsMatched: await matched(),
    rowsRead: answer.statistics.rowsRead,
    times: timesOf(compiled, times, rowsExamined),
    cached: false,
  };
}

/** Columns are changed where they are when they take their final form. */
const copyOf = (answer: QueryAnswer): QueryAnswer => ({
  ...answer,
  columns: answer.columns.map((column) => ({ ...column, values: column.values.slice() })),
});

/** Whether the answer of a query, and what belongs to it, follows without reading events. */
const asksNothing = ({ query, totals }: Compiled): boolean =>
  [query, totals?.query, totals?.together?.query].every((one) => one === undefined || readsNothing(one));

/** The text that the first statement to find one gives. */
async function firstText(
  statements: readonly string[],
  ask: (sql: string) => Promise<QueryAnswer>,
): Promise<string | undefined> {
  const answers = await Promise.all(statements.map(ask));
  const found = answers.find(({ rows }) => rows > 0);
  if (found === undefined) return undefined;
  const text: unknown = JSON.parse(textAt(valuesOf(found.columns[0]!.values, 1), 0));
  return String(text);
}

/** @param memoryBytes what a statement may use at the moment */
export const limitsOf = (settings: Settings, memoryBytes = Infinity) => ({
  maxSeconds: settings.queryTimeout / 1000,
  maxMemoryBytes: Math.min(settings.queryMemoryBytes, memoryBytes),
  maxRowsRead: settings.queryMaxRowsRead,
  maxResultBytes: settings.queryMaxResultBytes,
});

/**
 * How many rows fill a page of events; undefined if fewer rows would not mean that no more matched.
 */
function pageOf({ query, rowId }: Compiled, continued: boolean): number | undefined {
  const plain = query.from?.kind === 'table' && query.arrayJoin === undefined;
  return plain && rowId !== undefined && !continued ? query.limit : undefined;
}

async function tableOf(
  { output, rest }: Pick<Compiled, 'output' | 'rest'>,
  answer: QueryAnswer,
  most: number,
): Promise<AnswerTable> {
  const breath = new Breath();
  const columns: Uint8Array[] = [];
  for (const [i, column] of output.entries()) {
    columns.push(await taken(formingColumn(answer.columns[i]?.values ?? new Uint8Array(), formOf(column)), breath));
  }
  const table = { output, columns, rows: answer.rows };
  if (rest === undefined) return table;
  return withRareFields(table, answer.columns[output.length]!.values, { ...(rest.agg && { agg: rest.agg }), most });
}

/** Holds for queries compiled with `output: 'page'`. */
const formOf = ({ json, types: [type] }: OutputColumn): ColumnForm =>
  json ? 'json' : type === 'datetime' ? 'time' : 'plain';
