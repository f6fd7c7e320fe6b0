import type { Insert } from '@millrace/engine';
import type { NativeBlocks } from '@millrace/events';

/**
 * From so many columns on, the files of a wide part (2 ms each to write and sync) cost more than all other work of an insert, which they are
 * where the engine does not know `min_level_for_wide_part`.
 */
const manyColumns = 100;
/** With the batch that exceeds it still below the rows from which a part is wide; see `durableTableSettings`. */
const mostRows = 28_000;
/** Two parts take the engine a fifth more work than one of the same rows, and of fewer bytes they are not worth it. */
const worthTwo = 12 * 2 ** 20;

/**
 * How an insert is divided into parts. One of many columns so that they stay compact, until they are merged; one that somebody
 * waits for, if it is large, into two: the engine works on both at once.
 */
export function rowsPerPart({ columns, rows, chunks }: NativeBlocks, awaited: boolean): Pick<Insert, 'rowsPerPart'> {
  const compact = columns.length < manyColumns ? 1 : Math.ceil(rows / mostRows);
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const parts = Math.max(compact, awaited && bytes >= worthTwo ? 2 : 1);
  return parts === 1 ? {} : { rowsPerPart: Math.ceil(rows / parts) };
}
