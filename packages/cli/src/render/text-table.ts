import { type Field, rowsOf, type Table } from '../result/tabular.js';
import { styleText, type Output } from '../io.js';
import { plainText } from './rows.js';
import { cut, escapeControls, widthOf, wrapText } from './width.js';

/** Aligned tables that fit the terminal. */

interface Head {
  readonly title: string;
  readonly right: boolean;
  /** Cells are never wrapped or truncated, so that they can be copied. */
  readonly whole?: boolean;
}

interface Grid {
  readonly head: readonly Head[];
  readonly rows: readonly (readonly string[])[];
}

type Size = Pick<Output, 'width' | 'color'>;

const gap = '  ';
/** Minimum column width; if columns still do not fit, the last ones are omitted. */
const narrowest = 8;

/** Renders one line per row and returns the number of omitted columns. Long cells are truncated. */
export function gridLines(grid: Grid, out: Size): { lines: string[]; left: number } {
  const { head, rows, natural } = measureColumns(grid);
  const widths = fit(natural, out.width);
  const line = lineOf(head, widths);
  const cutLine = (cells: readonly string[]): string => line(widths.map((width, i) => cut(cells[i] ?? '', width)));
  const title = styleText(out, 'bold', cutLine(head.map(({ title }) => title)));
  return { lines: [title, ...rows.map(cutLine)], left: natural.length - widths.length };
}

/** Renders all of a grid; long cells wrap. */
export function wrappedGridLines(grid: Grid, out: Size): readonly string[] {
  const { head, rows, natural } = measureColumns(grid);
  const widths = narrowColumns(
    natural,
    natural.map((width, i) => (head[i]?.whole === true ? width : Math.min(width, narrowest))),
    out.width,
  );
  const line = lineOf(head, widths);
  const linesOf = (cells: readonly string[]): readonly string[] => {
    const broken = widths.map((width, i) => wrapText(cells[i] ?? '', width));
    const height = Math.max(...broken.map(({ length }) => length));
    return Array.from({ length: height }, (_, row) => line(broken.map((texts) => texts[row] ?? '')));
  };
  const titles = linesOf(head.map(({ title }) => title)).map((text) => styleText(out, 'bold', text));
  return [...titles, ...rows.flatMap(linesOf)];
}

/** Escaped cells and the natural width of each column. */
function measureColumns(grid: Grid) {
  const head = grid.head.map((column) => ({ ...column, title: escapeControls(column.title) }));
  const rows = grid.rows.map((row) => row.map(escapeControls));
  return { head, rows, natural: head.map(({ title }, i) => widest(title, rows, i)) };
}

/** Renders a line of fitting cells. */
const lineOf =
  (head: readonly Head[], widths: readonly number[]) =>
  (cells: readonly string[]): string =>
    widths
      .map((width, i) => alignText(cells[i] ?? '', width, head[i]?.right === true))
      .join(gap)
      .trimEnd();

/** Natural width of a column. */
function widest(title: string, rows: readonly (readonly string[])[], column: number): number {
  let width = widthOf(title);
  for (const row of rows) {
    const cell = row[column] ?? '';
    // Terminals are narrower.
    width = Math.max(width, cell.length > 500 ? 500 : widthOf(cell));
  }
  return width;
}

/** Narrows the widest columns until all fit; omits the last ones if that is not enough. */
function fit(natural: readonly number[], width: number): readonly number[] {
  if (together(natural) <= width) return natural;
  const kept = natural.slice(0, Math.max(1, fittingWidth(natural, width)));
  return narrowColumns(
    kept,
    kept.map(() => 1),
    width,
  );
}

/** Number of columns that fit at minimum width. There may be a hundred thousand, and few fit. */
function fittingWidth(natural: readonly number[], width: number): number {
  let taken = -gap.length;
  const over = natural.findIndex((each) => (taken += gap.length + Math.min(each, narrowest)) > width);
  return over < 0 ? natural.length : over;
}

/** Narrows the widest columns until all fit, respecting their minimum. */
function narrowColumns(natural: readonly number[], min: readonly number[], width: number): readonly number[] {
  const capWidths = (cap: number): readonly number[] =>
    natural.map((each, i) => Math.max(min[i]!, Math.min(each, cap)));
  let cap = Math.max(...natural);
  while (cap > 1 && together(capWidths(cap)) > width) cap--;
  return capWidths(cap);
}

/** Total width of columns and gaps. */
const together = (widths: readonly number[]): number =>
  widths.reduce((total, each) => total + each, 0) + gap.length * Math.max(0, widths.length - 1);

function alignText(text: string, width: number, right: boolean): string {
  const padding = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? padding + text : text + padding;
}

/**
 * A result table as a grid. Omits columns without values unless all are empty; `empty` counts the
 * omitted.
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
