import type { Question } from './question.js';

/** Compares the results of two systems. */

type Columns = readonly (readonly unknown[])[];
type Row = readonly unknown[];

const rowsOf = (columns: Columns): readonly Row[] =>
  (columns[0] ?? []).map((_, row) => columns.map((column) => plain(column[row])));

const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?$/;
const digits = /^-?\d{1,15}(?:\.\d+)?$/;

/** Brings values to one spelling: times to microseconds, numbers in quotes to numbers. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (digits.test(value)) return Number(value);
  if (!time.test(value)) return value;
  const [whole = '', fraction = ''] = value.replace(' ', 'T').replace('Z', '').split('.');
  return Date.parse(`${whole}Z`) * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

const order = (rows: readonly Row[], estimates: Readonly<Record<number, number>>): readonly Row[] =>
  rows
    .map((row) => ({ row, key: JSON.stringify(row.filter((_, i) => estimates[i] === undefined)) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);

/** Describes how the results differ; undefined if they are equal. */
export function difference(
  { estimates = {}, ordered = false }: Pick<Question, 'estimates' | 'ordered'>,
  ours: Columns,
  theirs: Columns,
): string | undefined {
  const sort = (rows: readonly Row[]): readonly Row[] => (ordered ? rows : order(rows, estimates));
  const [left, right] = [sort(rowsOf(ours)), sort(rowsOf(theirs))];
  if (left.length !== right.length) return `${left.length} rows and not ${right.length}`;
  for (const [r, row] of left.entries()) {
    const other = right[r] ?? [];
    if (row.length !== other.length) return `${row.length} columns and not ${other.length}`;
    for (const [c, value] of row.entries())
      if (!same(value, other[c], estimates[c] ?? 0))
        return `row ${r}, column ${c}: ${JSON.stringify(value)} and not ${JSON.stringify(other[c])}`;
  }
  return undefined;
}

function same(a: unknown, b: unknown, share: number): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b));
  return a === b;
}
