import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** When V8 collects garbage in the server's process. */

/** MiB of garbage that may accumulate in a large heap before V8 collects it. */
const garbageMegabytes = 384;
const [leastPercent, mostPercent] = [30, 300];
const lookMilliseconds = 500;

/**
 * By how many percent a heap may grow until it is collected. V8 lets a large heap grow as a small
 * one, to several times its size, so that a list of a million names would keep a gigabyte of
 * garbage as long as there is work; and one that is about to shrink is collected at once.
 */
export const growingPercent = (heapMegabytes: number): number =>
  Math.round(Math.min(mostPercent, Math.max(leastPercent, (100 * garbageMegabytes) / heapMegabytes)));

/**
 * Bounds garbage by its size. Look often: what is said last before a collection says when the next
 * one is.
 */
export function boundGarbage(): void {
  const look = (): void => {
    const { heapUsed } = process.memoryUsage();
    setFlagsFromString(`--heap-growing-percent=${growingPercent(heapUsed / 2 ** 20)}`);
  };
  look();
  setInterval(look, lookMilliseconds).unref();
}

const everyMilliseconds = 10_000;
/** Share of one core from which on the process counts as busy. */
const busyShare = 0.05;

/**
 * Collects once after each busy period: otherwise the garbage of that period would stay until there
 * is work again.
 */
export function collectAtRest(): void {
  const observe = afterWork(collector());
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    observe((user + system) / 1000 > everyMilliseconds * busyShare);
  }, everyMilliseconds).unref();
}

/**
 * Returns a function to report whether the process is busy; calls `rest` when a busy period is
 * over.
 */
export function afterWork(rest: () => void): (busy: boolean) => void {
  let worked = false;
  return (busy) => {
    if (worked && !busy) rest();
    worked = busy;
  };
}

/**
 * A function that collects all garbage. Node provides it only to programs started with a flag, but
 * a context made after the flag is set has it too.
 */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
