import { randomBytes } from 'node:crypto';
import { httpError } from '@millrace/api/errors';
import { retryOnChange } from '@millrace/query/retries';
import { PlanCache } from '@millrace/query/compile/plan-cache';
import { aplRequest } from '@millrace/query/compile/request';
import { parseCursor } from '@millrace/query/run/cursor';
import { isNullAt, textAt, valuesOf } from '@millrace/query/run/columns';
import type { ExecuteOptions } from '@millrace/query/run/execute';
import type { QueryOutcome } from '@millrace/query/run/outcome';
import type { QueryService } from '@millrace/query/service';
import { runPlan } from '@millrace/query/run-plan';
import { prepare } from '@millrace/query/prepare';
import { metricRows, type MetricRows, pointsOfMinutes } from '@millrace/query/mpl/check-mpl';
import { runMpl } from '@millrace/query/mpl/run-mpl';
import type { QueryExecution } from '@millrace/query/schedule/jobs';
import type { Clock } from '@millrace/metadata/clock';
import type { Reads, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Settings } from '@millrace/http/settings/settings';
import { mayRead } from './check-query.js';
import { DuePositions } from './due-positions.js';
import { metricsTable, type ResultTable, resultTable } from './evaluate/result-table.js';

/** Query interface of monitors; a parameter, so that tests can simulate it. */
export interface Source {
  /** @throws HttpError, EngineError */
  table(query: AskedTable): Promise<ResultTable>;
  /** Events in the order in which they arrived. @throws HttpError, EngineError */
  matches(query: AskedMatches): Promise<FoundMatches>;
  /** Events by their time, for back-tests. @throws HttpError, EngineError */
  eventsBetween(query: EventsQuery): Promise<readonly MatchedEvent[]>;
  /**
   * A log position at or after everything that was acknowledged before the due time of a run,
   * milliseconds since the epoch; default: now. Queries of that run see all of it.
   */
  position(due?: number): Promise<bigint>;
}

interface AskedQuery {
  readonly apl: string;
  /** APL if omitted. */
  readonly language?: StoredMonitor['language'];
  readonly reads: Reads;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * The query sees everything acknowledged before this time, milliseconds since the epoch; by
   * default, everything acknowledged so far.
   */
  readonly due?: number;
}

interface AskedTable extends AskedQuery {
  /** Milliseconds since the epoch; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Only what had arrived by then, milliseconds since the epoch. */
  readonly arrivedBy?: number;
}

interface EventsQuery extends AskedQuery {
  /** Milliseconds since the epoch; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly limit: number;
}

interface AskedMatches extends AskedQuery {
  /** Positions; the first is exclusive. */
  readonly after: bigint;
  readonly upTo: bigint;
  /**
   * Also matches the batches at these positions, which were in quarantine when a run passed them.
   */
  readonly late: readonly bigint[];
  readonly limit: number;
}

interface FoundMatches {
  readonly events: readonly MatchedEvent[];
  /** Positions of quarantined batches: their events are not included, and may appear later. */
  readonly held: readonly bigint[];
}

export interface MatchedEvent {
  readonly id: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Settings for queries of monitors. */
export const settingsOfRuns = (settings: Settings): Settings => ({
  ...settings,
  queryMemoryBytes: Math.min(settings.queryMemoryBytes, settings.monitorMemoryBytes),
});

/** Queries at low priority; all monitors together share one quota key. */
export function serviceSource(service: QueryService, clock: Clock): Source {
  // A separate plan cache: every run has a different time range, so its plans would only evict
  // others.
  const own = { ...service, settings: settingsOfRuns(service.settings), plans: new PlanCache() };
  const positions = new DuePositions(clock, () => service.storage.acknowledgedPosition());

  const ask = async (query: AskedQuery, options: Options): Promise<QueryOutcome> => {
    const upTo = query.due === undefined ? {} : { upTo: await positions.for(query.due) };
    return runQuery(query, { ...options, ...upTo }, own);
  };

  return {
    table: async ({ start, end, arrivedBy, ...query }) => {
      if (query.language === 'mpl') {
        const upTo = query.due === undefined ? {} : { upTo: await positions.for(query.due) };
        return metricsTable(await metricsOf(query, { start, end }, upTo, own));
      }
      const range = { startTime: instant(start), endTime: instantBefore(end) };
      const arrived = arrivedBy === undefined ? {} : { arrived: { by: BigInt(arrivedBy) * 1_000_000n } };
      return resultTable(await ask(query, { range, now: end, ...arrived }));
    },
    matches: async ({ after, upTo, late, limit, ...query }) => {
      const outcome = await ask(query, { range: {}, now: Date.now(), limit, arrived: { after, upTo, late } });
      return { events: eventsOf(outcome), held: outcome.missingPositions ?? [] };
    },
    eventsBetween: async ({ start, end, limit, ...query }) => {
      const range = { startTime: instant(start), endTime: instantBefore(end) };
      return eventsOf(await ask(query, { range, now: end, limit }));
    },
    position: (due) => (due === undefined ? service.storage.acknowledgedPosition() : positions.for(due)),
  };
}

/** Series of a query in MPL. */
async function metricsOf(
  { apl: text, reads, timeout, signal }: AskedQuery,
  range: { readonly start: number; readonly end: number },
  upTo: { readonly upTo?: bigint },
  service: QueryService,
): Promise<MetricRows> {
  const points = pointsOfMinutes((range.end - range.start) / 60_000);
  return runReported({ kind: 'mpl', text }, signal, service, async (execution) => {
    const call = { may: mayRead(reads), renew: async () => {} };
    const context = { call, execution, service, now: BigInt(range.end) * 1_000_000n, cached: false };
    const outcome = await runMpl({ text, range, params: {}, points }, context, { timeout, priority: 'low', ...upTo });
    if (outcome.partial) throw httpError('storage-unavailable', {});
    return metricRows(outcome);
  });
}

interface Options {
  readonly range: { readonly startTime?: string; readonly endTime?: string };
  /** Current time of the query, milliseconds since the epoch. */
  readonly now: number;
  readonly limit?: number;
  readonly arrived?: NonNullable<ExecuteOptions['arrived']>;
  readonly upTo?: bigint;
}

async function runQuery(
  { apl, reads, timeout, signal }: AskedQuery,
  { range, now, limit, arrived, upTo }: Options,
  service: QueryService,
): Promise<QueryOutcome> {
  return runReported({ kind: 'apl', text: apl }, signal, service, async (execution) => {
    const nanoseconds = BigInt(now) * 1_000_000n;
    const request = aplRequest({ apl, ...range, ...(limit !== undefined && { defaultLimit: limit }) }, {}, nanoseconds);
    const call = { may: mayRead(reads), renew: async () => {} };
    const asking = { call, execution, service, now: nanoseconds, cached: false };
    const how = {
      timeout,
      count: false,
      priority: 'low',
      ...(arrived !== undefined && { arrived }),
      ...(upTo !== undefined && { upTo }),
    } as const;
    const outcome = await retryOnChange({
      prepare: () => prepare(request, asking),
      perform: (plan) => runPlan(plan, asking, how),
    });
    // Without events that are acknowledged, values would be too low, and matching events be passed
    // over.
    if (outcome.partial) throw httpError('storage-unavailable', {});
    return outcome;
  });
}

/** Runs a query with the scheduling identity of monitors. */
async function runReported<T>(
  about: { readonly kind: 'apl' | 'mpl'; readonly text: string },
  signal: AbortSignal,
  service: QueryService,
  work: (execution: QueryExecution) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  signal.addEventListener('abort', stop);
  const job = { principal: monitors, traceId: randomBytes(16).toString('hex'), abort };
  let ended: 'ok' | 'failed' = 'failed';
  try {
    const execution = await service.jobs.beginLater(job, about);
    try {
      const result = await work(execution);
      ended = 'ok';
      return result;
    } finally {
      execution.end(ended);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Principal of monitor runs in the fair queue. Permissions are checked against the monitor's stored
 * `reads`.
 */
const monitors = {
  kind: 'api-token',
  tokenId: 'monitors',
  tokenName: 'monitors',
  userId: 'monitors',
  capabilities: [],
} as const;

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();
/** The last nanosecond before: ranges of queries include both ends. */
const instantBefore = (milliseconds: number): string => instant(milliseconds - 1).replace('Z', '999999Z');

/** Converts rows to events in ingest order: log position, then index in the batch. */
function eventsOf({ table, rowIds }: QueryOutcome): readonly MatchedEvent[] {
  if (rowIds === undefined) throw httpError('invalid-query', { problem: 'the result is no events' });
  const ids = valuesOf(rowIds, table.rows);
  const columns = table.columns.map((column, i) => ({
    name: table.output[i]!.name,
    cells: valuesOf(column, table.rows),
  }));
  return Array.from({ length: table.rows }, (_, row) => {
    const id = JSON.parse(textAt(ids, row)) as string;
    const event = Object.fromEntries(
      columns
        .filter(({ cells }) => !isNullAt(cells, row))
        .map(({ name, cells }) => [name, JSON.parse(textAt(cells, row)) as unknown] as const),
    );
    return { id, event, place: parseCursor(id)! };
  })
    .toSorted((a, b) => (a.place.seq === b.place.seq ? a.place.row - b.place.row : a.place.seq < b.place.seq ? -1 : 1))
    .map(({ id, event }) => ({ id, event }));
}
