import { type Field, rowsOf, type Table } from '../answer/tabular.js';
import { styled, type Output } from '../io.js';
import { plainText } from './rows.js';
import { cut, printable, widthOf } from './width.js';

/** Tables for people: aligned, no wider than the terminal. */

interface Grid {
  readonly head: readonly { readonly title: string; readonly right: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

const gap = '  ';
/** Columns are not made narrower than this; the last ones are left out instead. */
const narrowest = 8;

/** A grid as lines, and the number of columns there was no room for. */
export function gridLines(grid: Grid, out: Pick<Output, 'width' | 'color'>): { lines: string[]; left: number } {
  const head = grid.head.map(({ title, right }) => ({ title: printable(title), right }));
  const rows = grid.rows.map((row) => row.map(printable));
  const natural = head.map(({ title }, i) => Math.max(widthOf(title), ...sample(rows, i)));
  const widths = fit(natural, out.width);
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, i) => aligned(cells[i] ?? '', width, head[i]?.right === true))
      .join(gap)
      .trimEnd();
  const title = styled(out, 'bold', line(head.map(({ title }) => title)));
  return { lines: [title, ...rows.map(line)], left: natural.length - widths.length };
}

function* sample(rows: readonly (readonly string[])[], column: number): Generator<number> {
  for (const row of rows) {
    const cell = row[column] ?? '';
    // Longer cells are cut anyway.
    yield cell.length > 500 ? 500 : widthOf(cell);
  }
}

/** Narrows the widest columns until all fit; leaves out the last ones if that is not enough. */
function fit(natural: readonly number[], width: number): readonly number[] {
  const sum = (widths: readonly number[]): number =>
    widths.reduce((total, each) => total + each, 0) + gap.length * Math.max(0, widths.length - 1);
  if (sum(natural) <= width) return natural;
  let count = natural.length;
  while (count > 1 && sum(natural.slice(0, count).map((each) => Math.min(each, narrowest))) > width) count--;
  const kept = natural.slice(0, count);
  let cap = Math.max(...kept);
  while (cap > 1 && sum(kept.map((each) => Math.min(each, cap))) > width) cap--;
  return kept.map((each) => Math.min(each, cap));
}

function aligned(text: string, width: number, right: boolean): string {
  const shown = cut(text, width);
  const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return right ? padding + shown : shown + padding;
}

/** A table of an answer as a grid. Columns without any value are left out unless that would leave none; `empty` is the number left out. */
export function gridOf(table: Table): { readonly grid: Grid; readonly empty: number } {
  const all = table.fields.map((field, i) => ({ field, column: table.columns[i] ?? [] }));
  const filled = all.filter(({ column }) => column.length === 0 || column.some((cell) => cell !== 'null'));
  const shown = filled.length === 0 ? all : filled;
  return {
    grid: {
      head: shown.map(({ field }) => ({ title: field.name, right: isNumber(field) })),
      rows: Array.from({ length: rowsOf(table) }, (_, row) =>
        shown.map(({ column }) => plainText(column[row] ?? 'null')),
      ),
    },
    empty: table.fields.length - shown.length,
  };
}

const isNumber = ({ type }: Field): boolean => type.split('|').every((each) => each === 'integer' || each === 'float');
