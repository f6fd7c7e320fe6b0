import type { Cell } from '../../data/answers/cells.js';
import { textOf } from '../../data/answers/cells.js';
import type { TailRow } from '../../data/tail/tail-messages.js';
import type { RowSource } from '../../rows/row-source.js';

/**
 * Rows of a tail as those of a result, so that the same lines show them. `rowAt` gives a row of the
 * view.
 */
export function tailSource(
  rows: number,
  fields: readonly string[],
  rowAt: (row: number) => TailRow | undefined,
): RowSource {
  const cell = (row: number, field: string): Cell => rowAt(row)?.cells.get(field) ?? null;
  return {
    rows,
    // A tail names no types; times are known by their names.
    fields: fields.map((name) => ({ name, type: name === '_time' || name === '_sysTime' ? 'datetime' : '' })),
    typeOf: (name) => (name === '_time' || name === '_sysTime' ? 'datetime' : ''),
    cell,
    cursor: (row) => rowAt(row)?.cursor,
    whole: async (row, field) => textOf(cell(row, field)),
  };
}

/** The fields of some rows, in the order in which they came. */
export const fieldsOfRows = (known: readonly string[], rows: readonly TailRow[]): readonly string[] => {
  const names = new Set(known);
  for (const { cells } of rows) for (const name of cells.keys()) names.add(name);
  return names.size === known.length ? known : [...names];
};
