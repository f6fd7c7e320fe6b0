import type { Compiled } from '@millrace/apl';
import type { Asking } from './asking.js';
import { execute, type ExecuteOptions, type QueryOutcome } from './run/execute.js';
import { type QueryService, readIdsOf, versionOf } from './service.js';

/**
 * The second step of a query: from its plan to what was found. It waits for its turn, then looks in
 * the cache, then asks the engine.
 */

interface How extends Pick<ExecuteOptions, 'cursor' | 'count' | 'arrived' | 'upTo' | 'priority'> {
  /** How long it may take, milliseconds; by default as long as the query has left. */
  readonly timeout?: number;
}

type Perform = (plan: Compiled, how?: How) => Promise<QueryOutcome>;

/**
 * Performs a plan in a turn of its own.
 * @throws EngineError; HttpError when the query was stopped, or its caller may no longer ask
 */
export const perform = (plan: Compiled, asking: Asking, how?: How): Promise<QueryOutcome> =>
  inTurn(asking, (performOne) => performOne(plan, how));

/** The same for several plans of one query, in one turn. */
export const inTurn = <T>(
  { call, course, service, cached }: Pick<Asking, 'call' | 'course' | 'service' | 'cached'>,
  work: (performOne: Perform) => Promise<T>,
): Promise<T> =>
  course.turn(async (latest, grant) => {
    // The turn may have been long in coming.
    await call.renew();
    return work((plan, { timeout = Infinity, ...how } = {}) => {
      const deadline = Math.min(latest, performance.now() + timeout);
      return found(plan, { ...how, signal: course.signal, id: course.id, deadline, grant, cached }, service);
    });
  });

/** What was found before and is still true, or what the engine finds. */
async function found(
  plan: Compiled,
  { cached, ...options }: ExecuteOptions & { readonly cached: boolean },
  service: QueryService,
): Promise<QueryOutcome> {
  const run = async (): Promise<QueryOutcome> =>
    execute(plan, options, { ...service, datasetIds: readIdsOf(service, plan) });
  // What was found then may have been more than was there at that position.
  return cached && options.arrived === undefined
    ? service.cache.get(plan, versionOf(service, plan), options.count ?? true, run)
    : run();
}
