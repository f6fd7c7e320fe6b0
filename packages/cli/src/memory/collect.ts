import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage collection of the server process. */

/** MiB of garbage in a large heap before V8 collects it. */
const garbageMegabytes = 384;
const [minPercent, maxPercent] = [30, 300];
const lookMilliseconds = 500;

/**
 * Percentage by which a heap may grow before it is collected. By default V8 lets a large heap grow
 * to several times its size: under load, a list of a million names would retain a gigabyte of
 * garbage. A heap that is about to shrink is collected at once.
 */
export const growingPercent = (heapMegabytes: number): number =>
  Math.round(Math.min(maxPercent, Math.max(minPercent, (100 * garbageMegabytes) / heapMegabytes)));

/**
 * Limits garbage by size. Call it often: the value set last before a collection determines the next
 * one.
 */
export function limitHeapGrowth(): void {
  const look = (): void => {
    const { heapUsed } = process.memoryUsage();
    setFlagsFromString(`--heap-growing-percent=${growingPercent(heapUsed / 2 ** 20)}`);
  };
  look();
  setInterval(look, lookMilliseconds).unref();
}

const everyMilliseconds = 10_000;
/** Share of one core above which the process counts as busy. */
const busyShare = 0.05;

/** Collects once after each busy period; otherwise its garbage would stay until the next one. */
export function collectGarbageWhenIdle(): void {
  const observe = afterWork(collector());
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    observe((user + system) / 1000 > everyMilliseconds * busyShare);
  }, everyMilliseconds).unref();
}

/**
 * Returns a function that reports whether the process is busy; calls `rest` at the end of a busy
 * period.
 */
export function afterWork(rest: () => void): (busy: boolean) => void {
  let worked = false;
  return (busy) => {
    if (worked && !busy) rest();
    worked = busy;
  };
}

/**
 * Full garbage collection. Node exposes it only to programs started with a flag, but a context
 * created after the flag is set has it too.
 */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
