import { setTimeout as pause } from 'node:timers/promises';
import type { Compiled } from '@millrace/apl';
import { EngineError, type EngineErrorCode } from '@millrace/engine';
import { httpError } from '../errors.js';
import { DatasetDeleted } from '../storage/readers.js';
import type { Asking } from './asking.js';
import { versionOf } from './service.js';

/**
 * How often a query is attempted: again when something that it reads is gone, and while it is held,
 * again when something has arrived.
 */

/** The two steps of a query. */
interface Steps<P, R> {
  /** Looks at the catalogue as it is now. */
  prepare(): Promise<P>;
  perform(prepared: P): Promise<R>;
}

/** How long a request is held until something matches. */
interface Hold<P, R> extends Pick<Asking, 'call' | 'course' | 'service'> {
  readonly milliseconds: number;
  /** A plan that reads what the request reads. */
  reads(prepared: P): Compiled;
  isEmpty(result: R): boolean;
}

/** Prepares and performs, as often as it takes. */
export const attempted = <P, R>(steps: Steps<P, R>, hold?: Hold<P, R>): Promise<R> =>
  againIfGone(() =>
    hold === undefined || hold.milliseconds === 0 ? steps.prepare().then(steps.perform) : untilFound(steps, hold),
  );

const gone: ReadonlySet<EngineErrorCode> = new Set(['unknown-column', 'unknown-table']);

/**
 * What a query was prepared for may be gone when the engine reads it: a vacuum drops columns that
 * no event uses, and datasets are deleted. Such a query is tried once more, against what is there
 * then, and after every deletion of a dataset that it reads: with a wildcard it may read many, and
 * goes on with those that are left.
 */
async function againIfGone<R>(attempt: () => Promise<R>): Promise<R> {
  let tried = false;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DatasetDeleted) continue;
      if (tried || !(error instanceof EngineError && gone.has(error.code))) throw error;
      tried = true;
    }
  }
}

/** How often a held request checks for anything new; a check costs next to nothing. */
const lookMilliseconds = 50;

/**
 * Attempts until something is found, the time is up or the query is stopped; returns the last
 * result. When the time is up it tries once more: events that arrived with a time in the future may
 * be in range by then.
 */
async function untilFound<P, R>(
  { prepare, perform }: Steps<P, R>,
  { milliseconds, call, course, service, reads, isEmpty }: Hold<P, R>,
): Promise<R> {
  const end = performance.now() + milliseconds;
  const { signal } = course;
  let prepared = await prepare();
  for (;;) {
    const isLast = performance.now() >= end;
    const version = (): string => versionOf(service, reads(prepared));
    const seen = version();
    course.anew();
    // Events that arrived meanwhile may have brought new fields. Even the first attempt has to
    // include them: nothing would trigger another.
    prepared = await prepare();
    const result = await perform(prepared);
    if (isLast || !isEmpty(result)) return result;
    for (let left = milliseconds; left > 0 && version() === seen; left = end - performance.now()) {
      // An abort ends the pause early.
      await pause(Math.min(left, lookMilliseconds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw httpError('query-cancelled', {});
      // Whoever asked may not ask any more.
      await call.renew();
    }
  }
}
