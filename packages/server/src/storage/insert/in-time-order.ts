import { TIME_COLUMN } from '@millrace/events';
import type { Batch } from './queue.js';

/**
 * The batches of an insert, ordered by the time of their first event. When clients send at the same time, their bodies are stored in the order in
 * which they are read, not in that of the events. The engine sorts all rows of an insert, which moves every value of every column, unless they are
 * in order already. Ordered like this they are, if each body holds its events in order and no two bodies overlap in time.
 */
export function inTimeOrder<B extends Pick<Batch, 'block'>>(group: readonly B[]): readonly B[] {
  return group
    .map((batch) => ({ batch, first: firstTime(batch) }))
    .toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))
    .map(({ batch }) => batch);
}

/** The latest time among the rows of a batch, in nanoseconds since the epoch. */
export function newestTime({ block }: Pick<Batch, 'block'>): bigint {
  const { buffer, byteOffset, byteLength } = block.columns.find(({ name }) => name === TIME_COLUMN)!.data;
  const times = new DataView(buffer, byteOffset, byteLength);
  let newest = -(1n << 63n);
  for (let at = 0; at < byteLength; at += 8) {
    const time = times.getBigInt64(at, true);
    if (time > newest) newest = time;
  }
  return newest;
}

/** The time of the first row, in nanoseconds since the epoch. */
function firstTime({ block }: Pick<Batch, 'block'>): bigint {
  const { buffer, byteOffset, byteLength } = block.columns.find(({ name }) => name === TIME_COLUMN)!.data;
  return byteLength === 0 ? 0n : new DataView(buffer, byteOffset, byteLength).getBigInt64(0, true);
}
