import type { Batch } from './queue.js';
import { firstTime } from './time-range.js';

/**
 * Orders the batches of an insert by the time of their first event. Bodies of concurrent clients
 * are stored in the order in which they are read, not in event order. The engine sorts all rows of
 * an insert, which moves every value of every column, unless they are in order already. In this
 * order they are, if each body holds its events in order and no two bodies overlap in time.
 */
export function inTimeOrder<B extends Pick<Batch, 'block'>>(group: readonly B[]): readonly B[] {
  return group
    .map((batch) => ({ batch, first: firstTime(batch.block) }))
    .toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))
    .map(({ batch }) => batch);
}
