import type { Clock } from './clock.js';

/** What is kept is kept for a day or more, nearly always, so this much is let pass at once. */
const toleratedMilliseconds = 3_600_000;
/** For how long a clock that was set ahead has to stay so before it is believed. */
const patienceMilliseconds = 24 * 3_600_000;

/**
 * The clock for what is removed because of its age. The system's clock may be set far ahead by
 * mistake, and what was removed meanwhile does not come back when the clock does. So this one goes
 * on with the time that has passed, and follows a leap only when that has lasted for a day of
 * running: a machine that was suspended keeps what is old for that much longer. A clock that is
 * wrong already when this one is made is believed.
 * @param leapt called when the clock is found to be ahead, with milliseconds
 * @param elapsed milliseconds that have passed since any moment, not always whole
 */
export function agingClock(
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
