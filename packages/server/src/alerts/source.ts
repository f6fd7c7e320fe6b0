import { randomBytes } from 'node:crypto';
import { httpError } from '../errors.js';
import { attempted } from '../query/attempts.js';
import { PlanCache } from '../query/compile/plan-cache.js';
import { aplRequest } from '../query/compile/request.js';
import { parseCursor } from '../query/run/cursor.js';
import { isNullAt, textAt, valuesOf } from '../query/run/columns.js';
import type { ExecuteOptions, QueryOutcome } from '../query/run/execute.js';
import type { QueryService } from '../query/service.js';
import { perform } from '../query/perform.js';
import { prepare } from '../query/prepare.js';
import type { Clock } from '../metadata/clock.js';
import type { Reads } from '../schemas/monitor.js';
import type { Settings } from '../settings/settings.js';
import { mayRead } from './check-query.js';
import { DuePositions } from './due-positions.js';
import { type ResultTable, resultTable } from './evaluate/result-table.js';

/** Where monitors get their answers: an argument, so that a simulation can answer. */
export interface Source {
  /** @throws HttpError, EngineError */
  table(asked: AskedTable): Promise<ResultTable>;
  /** Events in the order in which they arrived. @throws HttpError, EngineError */
  matches(asked: AskedMatches): Promise<FoundMatches>;
  /**
   * A position at or above everything that was acknowledged before a time at which a run is due,
   * milliseconds since the epoch; before now, if left out. Questions for that run find all of it.
   */
  position(due?: number): Promise<bigint>;
}

interface AskedQuery {
  readonly apl: string;
  readonly reads: Reads;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * What was acknowledged before this time is seen, milliseconds since the epoch; everything if
   * left out.
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

interface AskedMatches extends AskedQuery {
  /** Positions; the first is exclusive. */
  readonly after: bigint;
  readonly upTo: bigint;
  /** Also the batches at these positions, which were held when they were passed. */
  readonly late: readonly bigint[];
  readonly limit: number;
}

interface FoundMatches {
  readonly events: readonly MatchedEvent[];
  /**
   * Positions of batches that the engine refused: their events are not among these, and may be
   * found later.
   */
  readonly held: readonly bigint[];
}

export interface MatchedEvent {
  readonly id: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** The settings as they are for queries of monitors. */
export const settingsOfRuns = (settings: Settings): Settings => ({
  ...settings,
  queryMemoryBytes: Math.min(settings.queryMemoryBytes, settings.monitorMemoryBytes),
});

/** Asks the query service at low priority, as one party among the tokens that ask. */
export function serviceSource(service: QueryService, clock: Clock): Source {
  // Every run has its own range of time: in the cache of requests its plans would only take the
  // room of others.
  const own = { ...service, settings: settingsOfRuns(service.settings), plans: new PlanCache() };
  const positions = new DuePositions(clock, () => service.storage.acknowledged());

  const ask = async (asked: AskedQuery, options: Options): Promise<QueryOutcome> => {
    const upTo = asked.due === undefined ? {} : { upTo: await positions.for(asked.due) };
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    asked.signal.addEventListener('abort', stop);
    return answered(asked, { ...options, ...upTo }, abort, own).finally(() =>
      asked.signal.removeEventListener('abort', stop),
    );
  };

  return {
    table: async ({ start, end, arrivedBy, ...asked }) => {
      const range = { startTime: instant(start), endTime: instantBefore(end) };
      const arrived = arrivedBy === undefined ? {} : { arrived: { by: BigInt(arrivedBy) * 1_000_000n } };
      return resultTable(await ask(asked, { range, now: end, ...arrived }));
    },
    matches: async ({ after, upTo, late, limit, ...asked }) => {
      const outcome = await ask(asked, { range: {}, now: Date.now(), limit, arrived: { after, upTo, late } });
      return { events: eventsOf(outcome), held: outcome.held ?? [] };
    },
    position: (due) => (due === undefined ? service.storage.acknowledged() : positions.for(due)),
  };
}

interface Options {
  readonly range: { readonly startTime?: string; readonly endTime?: string };
  /** What the query takes for the present, milliseconds since the epoch. */
  readonly now: number;
  readonly limit?: number;
  readonly arrived?: NonNullable<ExecuteOptions['arrived']>;
  readonly upTo?: bigint;
}

async function answered(
  { apl, reads, timeout }: AskedQuery,
  { range, now, limit, arrived, upTo }: Options,
  abort: AbortController,
  service: QueryService,
): Promise<QueryOutcome> {
  const job = { principal: monitors, traceId: randomBytes(16).toString('hex'), abort };
  const course = await service.jobs.beginLater(job, { kind: 'apl', text: apl });
  let ended: 'ok' | 'failed' = 'failed';
  try {
    const nanoseconds = BigInt(now) * 1_000_000n;
    const request = aplRequest({ apl, ...range, ...(limit !== undefined && { defaultLimit: limit }) }, {}, nanoseconds);
    const call = { may: mayRead(reads), renew: async () => {} };
    const asking = { call, course, service, now: nanoseconds, cached: false };
    const how = {
      timeout,
      count: false,
      priority: 'low',
      ...(arrived !== undefined && { arrived }),
      ...(upTo !== undefined && { upTo }),
    } as const;
    const outcome = await attempted({
      prepare: () => prepare(request, asking),
      perform: (plan) => perform(plan, asking, how),
    });
    // Without events that are acknowledged, values would be too low, and matching events be passed
    // over.
    if (outcome.partial) throw httpError('storage-unavailable', {});
    ended = 'ok';
    return outcome;
  } finally {
    course.end(ended);
  }
}

/**
 * Who runs them, among those who take turns on the engine. Rights are asked of what the monitor may
 * read.
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

/** Rows as events, in the order of arrival: log position, then place in the batch. */
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
