import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Garbage collection of the server process. */

/** MiB of garbage in a large heap before V8 collects it. */
const garbageMegabytes = 384;
const [minPercent, maxPercent] = [30, 300];
/** Between looks at a heap that changes, and the longest time between two. */
const [lookMilliseconds, restMilliseconds] = [500, 8000];
/** Bytes by which an idle heap grows between two looks. */
const idleGrowth = 2 ** 20;

/**
 * Percentage by which a heap may grow before it is collected. By default V8 lets a large heap grow
 * to several times its size: under load, a list of a million names would retain a gigabyte of
 * garbage. A heap that is about to shrink is collected at once.
 */
export const growingPercent = (heapMegabytes: number): number =>
  Math.round(Math.min(maxPercent, Math.max(minPercent, (100 * garbageMegabytes) / heapMegabytes)));

/**
 * Limits garbage by size. The value set last before a collection determines the next one, so it
 * follows the heap: often while the heap changes, seldom while the server is idle.
 */
export function limitHeapGrowth(): void {
  let before = 0;
  const look = (after: number): void => {
    const used = getHeapStatistics().used_heap_size;
    setFlagsFromString(`--heap-growing-percent=${growingPercent(used / 2 ** 20)}`);
    const isIdle = Math.abs(used - before) < idleGrowth;
    before = used;
    const next = isIdle ? Math.min(2 * after, restMilliseconds) : lookMilliseconds;
    setTimeout(() => look(next), next).unref();
  };
  look(lookMilliseconds);
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
