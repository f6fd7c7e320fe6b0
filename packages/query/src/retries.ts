import { setTimeout as pause } from 'node:timers/promises';
import type { CompiledQuery } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import type { QueryRunContext } from './context.js';
import { retry, RetryNeeded } from './schedule/retry.js';
import { versionOf } from './service.js';

/** Runs a query from its preparation, again when data that it reads changes. */

/** The two steps of a query. */
interface Steps<P, R> {
  /** Prepares against the current catalog. */
  prepare(): Promise<P>;
  perform(prepared: P): Promise<R>;
}

/** Long-poll parameters of a request. */
interface LongPoll<P, R> extends Pick<QueryRunContext, 'call' | 'execution' | 'service'> {
  readonly milliseconds: number;
  /** A plan that reads the same data as the request. */
  reads(prepared: P): CompiledQuery;
  isEmpty(result: R): boolean;
}

/** Prepares and performs, as often as it takes. */
export const retryOnChange = <P, R>(steps: Steps<P, R>, poll?: LongPoll<P, R>): Promise<R> =>
  retry(['dataset-deleted', 'schema-changed'], () =>
    poll === undefined || poll.milliseconds === 0 ? steps.prepare().then(steps.perform) : repeatUntilMatch(steps, poll),
  );

/** How often a long-polled request checks for new events; a check is cheap. */
const checkMilliseconds = 50;

/**
 * Repeats the query until it returns rows, the time is up or the query is canceled; returns the
 * last result. There is a last attempt when the time is up: events that arrived with a future time
 * may be in range by then.
 */
async function repeatUntilMatch<P, R>(
  { prepare, perform }: Steps<P, R>,
  { milliseconds, call, execution, service, reads, isEmpty }: LongPoll<P, R>,
): Promise<R> {
  const end = performance.now() + milliseconds;
  const { signal } = execution;
  let prepared = await prepare();
  return retry(['no-match-yet'], async () => {
    const isLast = performance.now() >= end;
    const version = (): string => versionOf(service, reads(prepared));
    const readVersion = version();
    execution.resetDeadline();
    // Events that arrived since may have added fields. Even the first attempt must include them: no
    // later change would trigger another.
    prepared = await prepare();
    const result = await perform(prepared);
    if (isLast || !isEmpty(result)) return result;
    for (let left = milliseconds; left > 0 && version() === readVersion; left = end - performance.now()) {
      // An abort ends the pause early.
      await pause(Math.min(left, checkMilliseconds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw httpError('query-cancelled', {});
      // The caller may have lost the permission.
      await call.renew();
    }
    throw new RetryNeeded('no-match-yet');
  });
}
