import type { Cell } from '../../data/results/cells.js';
import { textOf } from '../../data/results/cells.js';
import type { TailRow } from '../../data/tail/tail-messages.js';
import type { RowSource } from '../../rows/row-source.js';

/** Adapts a tail to the row source of results. `rowAt` maps rows of the view. */
export function tailSource(
  rows: number,
  fields: readonly string[],
  rowAt: (row: number) => TailRow | undefined,
): RowSource {
  const cell = (row: number, field: string): Cell => rowAt(row)?.cells.get(field) ?? null;
  // A tail has no types; timestamps are recognized by name.
  const typeOf = (name: string): string => (name === '_time' || name === '_sysTime' ? 'datetime' : '');
  return {
    rows,
    fields: fields.map((name) => ({ name, type: typeOf(name) })),
    typeOf,
    cell,
    present: (row) =>
      [...(rowAt(row)?.cells ?? [])]
        .filter(([, value]) => value !== null)
        .map(([name]) => ({ name, type: typeOf(name) })),
    cursor: (row) => rowAt(row)?.cursor,
    whole: async (row, field) => textOf(cell(row, field)),
  };
}

/** Fields of some rows, in order of appearance. */
export const fieldsOfRows = (known: readonly string[], rows: readonly TailRow[]): readonly string[] => {
  const names = new Set(known);
  for (const { cells } of rows) for (const name of cells.keys()) names.add(name);
  return names.size === known.length ? known : [...names];
};
