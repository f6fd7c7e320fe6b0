import type { Batch } from './queue.js';
import { firstTime } from './times.js';

/**
 * The batches of an insert, ordered by the time of their first event. When clients send at the same
 * time, their bodies are stored in the order in which they are read, not in that of the events. The
 * engine sorts all rows of an insert, which moves every value of every column, unless they are in
 * order already. Ordered like this they are, if each body holds its events in order and no two
 * bodies overlap in time.
 */
export function inTimeOrder<B extends Pick<Batch, 'block'>>(group: readonly B[]): readonly B[] {
  return group
    .map((batch) => ({ batch, first: firstTime(batch.block) }))
    .toSorted((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))
    .map(({ batch }) => batch);
}
