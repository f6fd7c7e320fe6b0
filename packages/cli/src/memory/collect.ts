import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When V8 collects garbage in the server's process. */

/**
 * Bodies and columns live outside V8's heap, and V8 collects all of it whenever some tens of megabytes of them were made: a third of the time
 * ingest took. This lets more of them come together first; the peak of memory stays.
 */
export const collectRarely = (): void => setFlagsFromString('--heap-growing-percent=1000');

const everyMilliseconds = 10_000;
/** Of one core. */
const busyShare = 0.05;

/** Collects once after each time of work: what came together meanwhile would stay until there is work again. */
export function collectAtRest(): void {
  const observe = afterWork(collector());
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    observe((user + system) / 1000 > everyMilliseconds * busyShare);
  }, everyMilliseconds).unref();
}

/** Takes note of how it goes, busy or not, and does something when it is over with being busy. */
export function afterWork(rest: () => void): (busy: boolean) => void {
  let worked = false;
  return (busy) => {
    if (worked && !busy) rest();
    worked = busy;
  };
}

/** Collects all garbage. Node shows this to programs that were started with a flag; a context made after the flag was set has it too. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
