import { type Block, valuesIn } from '@millrace/events';

/** A column with a smaller share of values consists mostly of null marks. */
const fewestValues = 1 / 4;

/**
 * Whether few rows have a value of a field, judged from the batches in which it first appears. This
 * decides, once, how its column is compressed.
 */
export function isSparse(name: string, batches: readonly { readonly block: Block }[]): boolean {
  let rows = 0;
  let values = 0;
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    rows += block.rows;
    if (column !== undefined) values += valuesIn(column, block.rows);
  }
  return values < fewestValues * rows;
}
