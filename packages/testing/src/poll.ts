import { setTimeout as pause } from 'node:timers/promises';

// Bound when the module loads: tests replace clocks.
const now = performance.now.bind(performance);
const { timeOrigin } = performance;

/** The time in milliseconds since 1970, also for a test with a fake clock. */
export const realTime = (): number => timeOrigin + now();

const firstPause = 10;
const longestPause = 100;

interface PollResult<T> {
  readonly last: T;
  readonly isDone: boolean;
  /** Milliseconds until then. */
  readonly took: number;
}

/** Reads until the result is the wanted one or the time has passed; reads at least once. */
export async function poll<T>(
  read: () => Promise<T>,
  isWanted: (result: T) => boolean,
  milliseconds: number,
): Promise<PollResult<T>> {
  const began = now();
  for (let wait = firstPause; ; wait = Math.min(wait * 1.5, longestPause)) {
    const last = await read();
    const took = now() - began;
    if (isWanted(last)) return { last, isDone: true, took };
    if (took >= milliseconds) return { last, isDone: false, took };
    await pause(Math.min(wait, milliseconds - took));
  }
}
