import { thirteenMonths, week } from '../tables/partitions.js';
import type { Batch } from './queue.js';
import { timesOf } from './time-range.js';

/**
 * Whether all events of an insert are in one partition, so that each batch becomes visible
 * atomically. False when in doubt.
 */
export function inOnePartition(group: readonly Batch[]): boolean {
  let partition: string | undefined;
  for (const { block, arrival } of group) {
    const times = timesOf(block);
    if (times.byteLength === 0) continue;
    const { key, from, to } = partitionOf(times.getBigInt64(0, true), arrival);
    partition ??= key;
    if (key !== partition) return false;
    for (let at = 8; at < times.byteLength; at += 8) {
      const time = times.getBigInt64(at, true);
      if (time < from || time >= to) return false;
    }
  }
  return true;
}

interface Partition {
  readonly key: string;
  /**
   * Events with the same ingest time and an event time from `from` (inclusive) to `to` (exclusive)
   * are in it too.
   */
  readonly from: bigint;
  readonly to: bigint;
}

/** The partition of an event, computed like `partitionKey` in the engine. */
function partitionOf(time: bigint, arrival: bigint): Partition {
  const distance = time < arrival ? arrival - time : time - arrival;
  const date = new Date(Number(time / 1_000_000n));
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const [key, first, next, min, max] =
    distance < week
      ? [`${year}-${month}-${day}`, Date.UTC(year, month, day), Date.UTC(year, month, day + 1), 0n, BigInt(week)]
      : distance < thirteenMonths
        ? [`${year}-${month}`, Date.UTC(year, month), Date.UTC(year, month + 1), BigInt(week), BigInt(thirteenMonths)]
        : [`${year}`, Date.UTC(year, 0), Date.UTC(year + 1, 0), BigInt(thirteenMonths), forever];
  // The range of a day spans both sides of the ingest time; that of a month or a year is limited to
  // the side of this event.
  const low = min === 0n || time < arrival ? arrival - max + 1n : arrival + min;
  const high = min === 0n || time > arrival ? arrival + max : arrival - min + 1n;
  return { key, from: later(nanoseconds(first), low), to: earlier(nanoseconds(next), high) };
}

const forever = 1n << 63n;
const nanoseconds = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000_000n;
const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b);
