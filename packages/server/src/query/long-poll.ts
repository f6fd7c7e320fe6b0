import { setTimeout as pause } from 'node:timers/promises';
import { httpError } from '../errors.js';
import { parseDuration } from '../routes/duration.js';

/** How long a request may be held until something matches: what a client that tails a dataset asks for. */

/** Shorter than the patience of proxies. */
const automatic = 15_000;
const longest = 10 * 60_000;
/** How often a held request looks whether there is anything new; looking costs next to nothing. */
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
  /** @param again whether this is not the first attempt */
  run(again: boolean): Promise<T>;
  isEmpty(result: T): boolean;
  /** Changes when another attempt may find something. */
  version(): string;
}

/** Attempts until there is something, the time is over or the signal aborts; the last result. */
export async function untilFound<T>(
  { run, isEmpty, version }: Attempt<T>,
  hold: number,
  signal: AbortSignal,
): Promise<T> {
  const started = performance.now();
  for (let again = false; ; again = true) {
    const seen = version();
    const result = await run(again);
    if (!isEmpty(result)) return result;
    while (version() === seen) {
      const left = hold - (performance.now() - started);
      if (left <= 0) return result;
      // An abort ends the pause, and is noticed by the next attempt or by whoever sends the answer.
      await pause(Math.min(left, lookMilliseconds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw httpError('query-cancelled', {});
    }
    if (performance.now() - started >= hold) return result;
  }
}
