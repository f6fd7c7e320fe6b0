import type { CompiledQuery } from '@millrace/apl';
import type { QueryRunContext } from './context.js';
import { orAborted } from './schedule/query-time.js';
import { type FlushResult, flushBeforeRead } from './run/flush-before-read.js';
import { execute, type ExecuteOptions } from './run/execute.js';
import type { QueryOutcome } from './run/outcome.js';
import { namingShards } from './datasets-apart.js';
import { type QueryService, readIdsOf } from './service.js';

/**
 * The second step of a query: from its plan to the result. Waits for a slot, then tries the cache,
 * then queries the engine.
 */

interface RunOptions extends Pick<ExecuteOptions, 'cursor' | 'count' | 'arrived' | 'upTo' | 'priority'> {
  /** How long it may take, milliseconds; by default as long as the query has left. */
  readonly timeout?: number;
}

type Performer = Pick<QueryRunContext, 'call' | 'execution' | 'service' | 'cached'>;

/**
 * Runs a plan in a separate slot.
 * @throws EngineError; HttpError when the query was canceled, or its caller lost the permission
 */
export async function runPlan(plan: CompiledQuery, context: Performer, how?: RunOptions): Promise<QueryOutcome> {
  const [outcome] = await runPlans([{ plan, how }], context);
  return outcome!;
}

interface Question {
  readonly plan: CompiledQuery;
  readonly how?: RunOptions | undefined;
}

/** Runs several plans of one query in one slot. */
export async function runPlans(
  questions: readonly Question[],
  { call, execution, service, cached }: Performer,
): Promise<readonly QueryOutcome[]> {
  // Flush before taking the slot: waiting for an insert then blocks no slot, and queries of one
  // quota key that wait for the same insert do not wait for one another.
  const ready = await Promise.all(
    questions.map(async ({ plan, how }) => {
      const datasetIds = readIdsOf(service, plan);
      const flushResult = await execution.runPhase('waiting', (signal) =>
        orAborted(signal, flushBeforeRead({ ...service, datasetIds }, how?.upTo)),
      );
      return { plan, how, datasetIds, flushResult };
    }),
  );
  return execution.runInSlot(async (latest, grant) => {
    // The turn may have been long in coming.
    await call.renew();
    return Promise.all(
      ready.map(({ plan, how: { timeout = Infinity, ...how } = {}, ...reads }) => {
        const deadline = Math.min(latest, performance.now() + timeout);
        const options = { ...how, signal: execution.signal, id: execution.id, deadline, grant };
        return namingShards(service, plan.datasets, () => findRows(plan, { ...options, ...reads, cached }, service));
      }),
    );
  });
}

interface Reads {
  readonly datasetIds: readonly number[];
  readonly flushResult: FlushResult;
}

/** The cached result if it is still valid, otherwise the engine's. */
async function findRows(
  plan: CompiledQuery,
  { cached, datasetIds, ...options }: ExecuteOptions & Reads & { readonly cached: boolean },
  service: QueryService,
): Promise<QueryOutcome> {
  const run = (): Promise<QueryOutcome> => execute(plan, options, { ...service, datasetIds });
  // A cached result may include events after that position.
  return cached && options.arrived === undefined
    ? service.cache.get(plan, options.flushResult.version, options.count ?? true, run)
    : run();
}
