import { type Field, rowsOf, type Table } from '../answer/tabular.js';
import { styled, type Output } from '../io.js';
import { plainText } from './rows.js';
import { cut, printable, widthOf, wrapped } from './width.js';

/** Tables for people: aligned, no wider than the terminal. */

interface Head {
  readonly title: string;
  readonly right: boolean;
  /** Its cells are never broken, not even if there is no room for them: somebody will copy them. */
  readonly whole?: boolean;
}

interface Grid {
  readonly head: readonly Head[];
  readonly rows: readonly (readonly string[])[];
}

type Size = Pick<Output, 'width' | 'color'>;

const gap = '  ';
/** Columns are not made narrower than this; the last ones are left out instead. */
const narrowest = 8;

/**
 * A grid as lines, one for each row, and the number of columns there was no room for. Long cells
 * are cut.
 */
export function gridLines(grid: Grid, out: Size): { lines: string[]; left: number } {
  const { head, rows, natural } = measured(grid);
  const widths = fit(natural, out.width);
  const line = lineOf(head, widths);
  const cutLine = (cells: readonly string[]): string => line(widths.map((width, i) => cut(cells[i] ?? '', width)));
  const title = styled(out, 'bold', cutLine(head.map(({ title }) => title)));
  return { lines: [title, ...rows.map(cutLine)], left: natural.length - widths.length };
}

/** A grid of which nothing is left out as lines: long cells go on in the lines below. */
export function wrappedGridLines(grid: Grid, out: Size): readonly string[] {
  const { head, rows, natural } = measured(grid);
  const widths = narrowed(
    natural,
    natural.map((width, i) => (head[i]?.whole === true ? width : Math.min(width, narrowest))),
    out.width,
  );
  const line = lineOf(head, widths);
  const linesOf = (cells: readonly string[]): readonly string[] => {
    const broken = widths.map((width, i) => wrapped(cells[i] ?? '', width));
    const height = Math.max(...broken.map(({ length }) => length));
    return Array.from({ length: height }, (_, row) => line(broken.map((texts) => texts[row] ?? '')));
  };
  const titles = linesOf(head.map(({ title }) => title)).map((text) => styled(out, 'bold', text));
  return [...titles, ...rows.flatMap(linesOf)];
}

/** The texts of a grid, safe to show, and the width of each column if there is room for all. */
function measured(grid: Grid) {
  const head = grid.head.map((column) => ({ ...column, title: printable(column.title) }));
  const rows = grid.rows.map((row) => row.map(printable));
  return { head, rows, natural: head.map(({ title }, i) => widest(title, rows, i)) };
}

/** Makes a line of cells that fit. */
const lineOf =
  (head: readonly Head[], widths: readonly number[]) =>
  (cells: readonly string[]): string =>
    widths
      .map((width, i) => aligned(cells[i] ?? '', width, head[i]?.right === true))
      .join(gap)
      .trimEnd();

/** The width of a column in which everything has room. */
function widest(title: string, rows: readonly (readonly string[])[], column: number): number {
  let width = widthOf(title);
  for (const row of rows) {
    const cell = row[column] ?? '';
    // No terminal is wider.
    width = Math.max(width, cell.length > 500 ? 500 : widthOf(cell));
  }
  return width;
}

/** Narrows the widest columns until all fit; leaves out the last ones if that is not enough. */
function fit(natural: readonly number[], width: number): readonly number[] {
  if (together(natural) <= width) return natural;
  const kept = natural.slice(0, Math.max(1, fitting(natural, width)));
  return narrowed(
    kept,
    kept.map(() => 1),
    width,
  );
}

/**
 * How many columns have room when none is wider than it has to be. There may be a hundred thousand,
 * of which few have.
 */
function fitting(natural: readonly number[], width: number): number {
  let taken = -gap.length;
  const over = natural.findIndex((each) => (taken += gap.length + Math.min(each, narrowest)) > width);
  return over < 0 ? natural.length : over;
}

/** Narrows the widest columns until all fit, none below its least width. */
function narrowed(natural: readonly number[], least: readonly number[], width: number): readonly number[] {
  const capped = (cap: number): readonly number[] => natural.map((each, i) => Math.max(least[i]!, Math.min(each, cap)));
  let cap = Math.max(...natural);
  while (cap > 1 && together(capped(cap)) > width) cap--;
  return capped(cap);
}

/** The width of columns beside each other. */
const together = (widths: readonly number[]): number =>
  widths.reduce((total, each) => total + each, 0) + gap.length * Math.max(0, widths.length - 1);

function aligned(text: string, width: number, right: boolean): string {
  const padding = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? padding + text : text + padding;
}

/**
 * A table of an answer as a grid. Columns without any value are left out unless that would leave
 * none; `empty` is the number left out.
 */
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
