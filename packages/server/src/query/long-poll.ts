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
  run(): Promise<T>;
  isEmpty(result: T): boolean;
  /** Changes when another attempt may find something. */
  version(): string;
}

/**
 * Attempts until there is something, the time is over or the signal aborts; the last result. When the time is over it is tried once more: what came
 * with a time that was still to be has come.
 */
export async function untilFound<T>(
  { run, isEmpty, version }: Attempt<T>,
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
      // An abort ends the pause, and is noticed by the next attempt or by whoever sends the answer.
      await pause(Math.min(left, lookMilliseconds), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw httpError('query-cancelled', {});
    }
  }
}
