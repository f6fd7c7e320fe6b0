import type { Batch } from './queue.js';

/**
 * From this many columns on, the files of a wide part (2 ms each to write and sync) cost more than
 * all other work of an insert. Inserted parts can be wide where the engine does not know
 * `min_level_for_wide_part`.
 */
const manyColumns = 100;
/**
 * Leaves space for the batch that exceeds it, so that the part stays below the rows from which
 * parts are wide; see `durableTableSettings`.
 */
const maxRows = 28_000;
/**
 * Two parts cost the engine a fifth more work than one with the same rows; below this many bytes
 * that is not worth it.
 */
const worthTwo = 12 * 2 ** 20;

/** Size of an insert. */
interface InsertSize {
  readonly columns: number;
  readonly rows: number;
  readonly bytes: number;
}

export function sizeOf(group: readonly Pick<Batch, 'block' | 'bytes'>[]): InsertSize {
  return {
    columns: new Set(group.flatMap(({ block }) => block.columns.map(({ name }) => name))).size,
    rows: group.reduce((sum, { block }) => sum + block.rows, 0),
    bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * How many rows of an insert make a part; undefined for a single part. An insert of many columns is
 * divided so that its parts stay compact until they are merged; a large one with waiting readers is
 * divided into two, which the engine writes at once.
 */
export function rowsPerPart({ columns, rows, bytes }: InsertSize, awaited: boolean): number | undefined {
  const compact = columns < manyColumns ? 1 : Math.ceil(rows / maxRows);
  const parts = Math.max(compact, awaited && bytes >= worthTwo ? 2 : 1);
  return parts === 1 ? undefined : Math.ceil(rows / parts);
}
