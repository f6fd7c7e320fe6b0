import type { Compiled } from '@millrace/apl';
import type { Asking } from './asking.js';
import { type BroughtIn, bringIn } from './run/brought-in.js';
import { execute, type ExecuteOptions, type QueryOutcome } from './run/execute.js';
import { type QueryService, readIdsOf } from './service.js';

/**
 * The second step of a query: from its plan to what was found. It waits for its turn, then looks in
 * the cache, then asks the engine.
 */

interface How extends Pick<ExecuteOptions, 'cursor' | 'count' | 'arrived' | 'upTo' | 'priority'> {
  /** How long it may take, milliseconds; by default as long as the query has left. */
  readonly timeout?: number;
}

type Performer = Pick<Asking, 'call' | 'course' | 'service' | 'cached'>;

/**
 * Performs a plan in a turn of its own.
 * @throws EngineError; HttpError when the query was stopped, or its caller may no longer ask
 */
export async function perform(plan: Compiled, asking: Performer, how?: How): Promise<QueryOutcome> {
  const [outcome] = await performAll([{ plan, how }], asking);
  return outcome!;
}

interface Question {
  readonly plan: Compiled;
  readonly how?: How | undefined;
}

/** The same for several plans of one query, in one turn. */
export async function performAll(
  questions: readonly Question[],
  { call, course, service, cached }: Performer,
): Promise<readonly QueryOutcome[]> {
  // Before the turn: whoever waits for an insert leaves the engine to others, and questions of one
  // party that wait for the same insert do not wait for one another.
  const ready = await Promise.all(
    questions.map(async ({ plan, how }) => {
      const datasetIds = readIdsOf(service, plan);
      return { plan, how, datasetIds, broughtIn: await bringIn({ ...service, datasetIds }, how?.upTo) };
    }),
  );
  return course.turn(async (latest, grant) => {
    // The turn may have been long in coming.
    await call.renew();
    return Promise.all(
      ready.map(({ plan, how: { timeout = Infinity, ...how } = {}, ...reads }) => {
        const deadline = Math.min(latest, performance.now() + timeout);
        const options = { ...how, signal: course.signal, id: course.id, deadline, grant };
        return found(plan, { ...options, ...reads, cached }, service);
      }),
    );
  });
}

interface Reads {
  readonly datasetIds: readonly number[];
  readonly broughtIn: BroughtIn;
}

/** What was found before and is still true, or what the engine finds. */
async function found(
  plan: Compiled,
  { cached, datasetIds, ...options }: ExecuteOptions & Reads & { readonly cached: boolean },
  service: QueryService,
): Promise<QueryOutcome> {
  const run = (): Promise<QueryOutcome> => execute(plan, options, { ...service, datasetIds });
  // What was found then may have been more than was there at that position.
  return cached && options.arrived === undefined
    ? service.cache.get(plan, options.broughtIn.version, options.count ?? true, run)
    : run();
}
