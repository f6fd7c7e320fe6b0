import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When V8 collects garbage in the server's process. */

/**
 * Bodies and columns live outside V8's heap, and V8 collects the whole heap whenever some tens of megabytes of them have been made, which took a third of
 * the time of ingest. With this setting more of them accumulate first; the peak of memory stays the same.
 */
export const collectRarely = (): void => setFlagsFromString('--heap-growing-percent=1000');

const everyMilliseconds = 10_000;
/** Share of one core from which on the process counts as busy. */
const busyShare = 0.05;

/** Collects once after each busy period: otherwise the garbage of that period would stay until there is work again. */
export function collectAtRest(): void {
  const observe = afterWork(collector());
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    observe((user + system) / 1000 > everyMilliseconds * busyShare);
  }, everyMilliseconds).unref();
}

/** Returns a function to report whether the process is busy; calls `rest` when a busy period is over. */
export function afterWork(rest: () => void): (busy: boolean) => void {
  let worked = false;
  return (busy) => {
    if (worked && !busy) rest();
    worked = busy;
  };
}

/** A function that collects all garbage. Node provides it only to programs started with a flag, but a context made after the flag is set has it too. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
