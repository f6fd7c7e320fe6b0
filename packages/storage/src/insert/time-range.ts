import { type Block, TIME_COLUMN } from '@millrace/events';

/** The times of a block's rows: eight bytes each, nanoseconds since the epoch. */
export function timesOf({ columns }: Block): DataView {
  const { buffer, byteOffset, byteLength } = columns.find(({ name }) => name === TIME_COLUMN)!.data;
  return new DataView(buffer, byteOffset, byteLength);
}

/** The latest time of its rows. */
export const newestTime = (block: Block): bigint => stretchOf(block).end;

/** The time range of its rows. */
export function stretchOf(block: Block): { readonly start: bigint; readonly end: bigint } {
  const times = timesOf(block);
  let start = (1n << 63n) - 1n;
  let end = -(1n << 63n);
  for (let at = 0; at < times.byteLength; at += 8) {
    const time = times.getBigInt64(at, true);
    if (time > end) end = time;
    if (time < start) start = time;
  }
  return { start, end };
}

/** The earliest time of its rows. */
export function firstTime(block: Block): bigint {
  const times = timesOf(block);
  return times.byteLength === 0 ? 0n : times.getBigInt64(0, true);
}
