import type { Insert } from '@millrace/engine';
import type { NativeBlocks } from '@millrace/events';

/**
 * From this many columns on, the files of a wide part (2 ms each to write and sync) cost more than all other work of an insert. Inserted parts can
 * be wide where the engine does not know `min_level_for_wide_part`.
 */
const manyColumns = 100;
/** Leaves room for the batch that exceeds it, so that the part stays below the rows from which parts are wide; see `durableTableSettings`. */
const mostRows = 28_000;
/** Two parts cost the engine a fifth more work than one with the same rows; below this many bytes that is not worth it. */
const worthTwo = 12 * 2 ** 20;

/**
 * How an insert is divided into parts. One of many columns is divided so that its parts stay compact until they are merged; a large one that
 * somebody waits for becomes two, on which the engine works at once.
 */
export function rowsPerPart({ columns, rows, chunks }: NativeBlocks, awaited: boolean): Pick<Insert, 'rowsPerPart'> {
  const compact = columns.length < manyColumns ? 1 : Math.ceil(rows / mostRows);
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const parts = Math.max(compact, awaited && bytes >= worthTwo ? 2 : 1);
  return parts === 1 ? {} : { rowsPerPart: Math.ceil(rows / parts) };
}
