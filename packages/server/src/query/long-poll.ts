import { setTimeout as pause } from 'node:timers/promises';
import { httpError } from '../errors.js';
import { parseDuration } from '../http/duration.js';

/** How long a request may be held until something matches: what a client that tails a dataset asks for. */

/** Shorter than the timeouts of proxies. */
const automatic = 15_000;
const longest = 10 * 60_000;
/** How often a held request checks for anything new; a check costs next to nothing. */
const lookMilliseconds = 50;

/**
 * Milliseconds of `streaming-duration`; 0 if it is not given.
 * @throws HttpError `invalid-request`
 */
export function holdOf(given: string | undefined): number {
  if (given === undefined || given === '') return 0;
  if (given === 'auto') return automatic;
  const duration = parseDuration(given);
  if (duration === undefined)
    throw httpError('invalid-request', {
      problem: `streaming-duration '${given}' is not a duration; use 30s, 1m or auto`,
    });
  return Math.min(Number(duration / 1_000_000n), longest);
}

interface Attempt<T> {
  run(): Promise<T>;
  isEmpty(result: T): boolean;
  /** Throws when whoever asked may not ask any more. */
  still(): Promise<void>;
  /** Changes when another attempt may find something. */
  version(): string;
}

/**
 * Attempts until something is found, the time is up or the signal aborts; returns the last result. When the time is up it tries once more: events that
 * arrived with a time in the future may be in range by then.
 */
export async function untilFound<T>(
  { run, isEmpty, still, version }: Attempt<T>,
  hold: number,
  signal: AbortSignal,
): Promise<T> {
  const end = performance.now() + hold;
  for (;;) {
    const isLast = performance.now() >= end;
    const seen = version();
    const result = await run();
    if (isLast || !isEmpty(result)) return result;
    for (let left = hold; left > 0 && version() === seen; left = end - performance.now()) {
      // An abort ends the pause early.
      await pause(Math.min(left, lookMilliseconds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw httpError('query-cancelled', {});
      await still();
    }
  }
}
