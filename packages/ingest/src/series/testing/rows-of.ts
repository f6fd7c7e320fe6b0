import { DEFAULT_LIMITS } from '@millrace/events';
import { readBlock } from '../../../../events/src/testing/read-block.js';
import type { SeriesRows } from '../row-writer.js';

/** A row of a metrics dataset; names without the marks of their types. */
export interface WrittenRow {
  readonly _time: bigint;
  readonly record: string;
  readonly metric: string;
  readonly series: bigint;
  readonly value?: number;
  readonly tags?: string;
  readonly type?: string;
  readonly temporality?: string;
  readonly unit?: string;
}

/** The rows of the block that was written. */
export const rowsOfBlock = ({ columns }: SeriesRows): readonly WrittenRow[] =>
  readBlock(columns.toBlock(DEFAULT_LIMITS)).map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name.replace(/#\w$/, ''), value]),
      ) as unknown as WrittenRow,
  );

export const testBound = { max: 2 ** 24, tooMany: (): Error => new Error('too large') };
