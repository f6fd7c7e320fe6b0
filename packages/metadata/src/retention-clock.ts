import type { Clock } from './clock.js';

/** Retention is nearly always a day or more, so a jump of this size is accepted at once. */
const toleratedMilliseconds = 3_600_000;
/** How long a clock that was set ahead has to stay so before it is trusted. */
const patienceMilliseconds = 24 * 3_600_000;

/**
 * The clock for retention. The system's clock may be set far ahead by mistake, and events deleted
 * then do not come back when the clock is corrected. So this clock continues with elapsed time, and
 * follows a jump only after it has lasted for a day of running: a machine that was suspended keeps
 * old events for that much longer. A clock that is already wrong at creation is trusted.
 * @param leapt called when the clock is found to be ahead, with milliseconds
 * @param elapsed milliseconds that have passed since any moment, possibly fractional
 */
export function retentionClock(
  clock: Clock,
  leapt: (ahead: number) => void,
  elapsed: () => number = () => performance.now(),
): Clock {
  let believed = clock() - elapsed();
  let aheadSince: number | undefined;
  return () => {
    const now = elapsed();
    const offset = clock() - now;
    const ahead = offset - believed;
    if (ahead > toleratedMilliseconds && aheadSince === undefined) leapt(ahead);
    aheadSince = ahead > toleratedMilliseconds ? (aheadSince ?? now) : undefined;
    if (aheadSince === undefined || now - aheadSince >= patienceMilliseconds) {
      believed = offset;
      aheadSince = undefined;
    }
    return Math.floor(believed + now);
  };
}
