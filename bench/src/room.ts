import { mkdirSync, statfsSync } from 'node:fs';
import type { Sizes } from './sizes.js';

/** Checks free disk space before a run: a full disk in the middle costs hours. */

/**
 * Maximum disk usage of a run: the generated files, which are kept, and the tables of all systems,
 * which for some minutes contain parts twice, before and after merges.
 * @param only names of suites; empty means all
 */
export function bytesFor(sizes: Sizes, only: readonly string[]): number {
  const max = (suites: readonly string[], events: number, bytesPerEvent: number): number =>
    only.length === 0 || suites.some((name) => only.includes(name)) ? events * bytesPerEvent : 0;
  const ingested = Object.values(sizes.ingestEvents).reduce((sum, events) => sum + events, 0);
  return (
    1e9 +
    max(['ingest', 'disk'], ingested, 2500) +
    max(['query'], Math.max(...sizes.queryEvents), 3500) +
    (only.includes('peers') ? Math.max(...sizes.queryEvents) * 1500 : 0) +
    (only.includes('metrics') ? sizes.metricsTargets * sizes.metricsMinutes * 160 * 100 : 0) +
    max(['concurrency'], sizes.concurrencyEvents, 1000) +
    max(['growth'], Math.max(...sizes.growthEvents), 300) +
    max(['idle'], Math.max(...sizes.idleEvents), 300)
  );
}

/** Describes the problem if the disk of a directory has fewer free bytes than needed. */
export function lackOfRoom(directory: string, bytes: number): string | undefined {
  mkdirSync(directory, { recursive: true });
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (free >= bytes) return undefined;
  const gigabytes = (count: number): string => `${(count / 1e9).toFixed(1)} GB`;
  return `${directory} is on a disk with ${gigabytes(free)} free, and this run may take ${gigabytes(bytes)}: make room, or choose a smaller size or a part`;
}
