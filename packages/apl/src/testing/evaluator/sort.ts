import type { SortKey } from '../../syntax/ast.js';
import { scalarOf } from './scalar.js';
import { order } from './values.js';
import type { Table, Value } from './values.js';

/**
 * The rows in the order of the keys, descending by default; nulls come last by default. Equal rows
 * keep their places.
 */
export function sortRows({ columns, rows }: Table, keys: readonly SortKey[]): Table {
  const scalars = keys.map((key) => ({ ...key, scalar: scalarOf(key.value, columns) }));
  const cells = rows.map((row, i) => ({ row, values: scalars.map(({ scalar }) => scalar.at(rows, i)) }));
  const compare = (a: Value, b: Value, { direction = 'desc', nulls = 'last' }: SortKey): number => {
    if (a === null || b === null) return (Number(a === null) - Number(b === null)) * (nulls === 'last' ? 1 : -1);
    return (order(a, b) ?? 0) * (direction === 'asc' ? 1 : -1);
  };
  const ordered = cells.toSorted((a, b) =>
    scalars.reduce((so, key, k) => (so === 0 ? compare(a.values[k]!, b.values[k]!, key) : so), 0),
  );
  return { columns, rows: ordered.map(({ row }) => row) };
}
