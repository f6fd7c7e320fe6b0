import type { Answer } from '../data/results/results.js';
import { type Cell, textOf } from '../data/results/cells.js';

/** Rows of one or more pages of a result, concatenated. */
export interface RowSource {
  readonly rows: number;
  readonly fields: readonly RowField[];
  /** Type of a field; empty if there is none. */
  typeOf(field: string): string;
  cell(row: number, field: string): Cell;
  /** Fields with a value in this row. Its cost depends on those, not on all fields. */
  present(row: number): readonly RowField[];
  /** Cursor of an event; undefined for other rows. */
  cursor(row: number): string | undefined;
  /** The whole value, if the page has it truncated. */
  whole(row: number, field: string): Promise<string>;
}

export interface RowField {
  readonly name: string;
  readonly type: string;
}

/** Columns with positions, added by the server. */
export const CURSOR = '_cursor';

interface Page {
  readonly first: number;
  readonly answer: Answer;
}

/** Fields of a result and the previous pages. */
interface Fields {
  readonly before: Answer | undefined;
  readonly list: readonly RowField[];
}

/** Cached per result: there may be a hundred thousand fields, and many pages. */
const fieldsUpTo = new WeakMap<Answer, Fields>();

/** All fields of some results, in order of appearance. */
function fieldsOf(answers: readonly Answer[]): readonly RowField[] {
  let list: readonly RowField[] = [];
  for (const [at, answer] of answers.entries()) {
    const before = answers[at - 1];
    const known = fieldsUpTo.get(answer);
    if (known !== undefined && known.before === before) {
      ({ list } = known);
      continue;
    }
    const earlier = answers.slice(0, at);
    const more = answer.table.head.fields.filter(
      ({ name }) => name !== CURSOR && !earlier.some(({ table }) => table.index.has(name)),
    );
    if (more.length > 0) list = [...list, ...more];
    fieldsUpTo.set(answer, { before, list });
  }
  return list;
}

const rowFields = new WeakMap<Answer, readonly (readonly number[])[]>();

/** Columns with a value, for each row of a page. One pass over the page: most rows are sparse. */
function presentColumns(answer: Answer): readonly (readonly number[])[] {
  const { columns, rows } = answer.table;
  const known = rowFields.get(answer);
  if (known !== undefined && known.length === rows) return known;
  const found = Array.from({ length: rows }, (): number[] => []);
  const cursor = answer.table.index.get(CURSOR);
  for (const [column, cells] of columns.entries()) {
    if (column === cursor) continue;
    for (let row = 0; row < rows; row++) if ((cells[row] ?? null) !== null) found[row]!.push(column);
  }
  rowFields.set(answer, found);
  return found;
}

/** @param order permutation of rows, for client-side sorting */
export function rowSource(answers: readonly Answer[], order?: readonly number[]): RowSource {
  const pages: Page[] = [];
  let rows = 0;
  for (const answer of answers) {
    pages.push({ first: rows, answer });
    rows += answer.table.rows;
  }
  const pageOf = (row: number): Page | undefined => {
    let [low, high] = [0, pages.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pages[middle]!.first <= row) low = middle;
      else high = middle - 1;
    }
    return pages[low];
  };
  const sourceRow = (row: number): number => order?.[row] ?? row;
  const cell = (row: number, field: string): Cell => {
    const at = sourceRow(row);
    const page = pageOf(at);
    const column = page?.answer.table.index.get(field);
    return column === undefined ? null : (page!.answer.table.columns[column]![at - page!.first] ?? null);
  };
  return {
    rows,
    fields: fieldsOf(answers),
    typeOf: (field) => {
      if (field === CURSOR) return '';
      const { table } = answers.find(({ table }) => table.index.has(field)) ?? {};
      return table?.head.fields[table.index.get(field)!]?.type ?? '';
    },
    cell,
    present: (row) => {
      const at = sourceRow(row);
      const page = pageOf(at);
      if (page === undefined) return [];
      const { fields } = page.answer.table.head;
      return (presentColumns(page.answer)[at - page.first] ?? []).map((column) => fields[column]!);
    },
    cursor: (row) => {
      const found = cell(row, CURSOR);
      return typeof found === 'string' ? found : undefined;
    },
    whole: async (row, field) => {
      const found = cell(row, field);
      if (typeof found !== 'object' || found === null || found.kind !== 'long') return textOf(found);
      const at = sourceRow(row);
      const page = pageOf(at)!;
      return page.answer.whole(page.answer.table.index.get(field)!, at - page.first);
    },
  };
}

/** Rows of the first page, which coverage is estimated from. */
const COVERAGE_ROWS = 500;

/** Share of the first rows that have each field; fields without a value are missing. */
export function fieldCoverage(source: RowSource): ReadonlyMap<string, number> {
  const rows = Math.min(source.rows, COVERAGE_ROWS);
  const found = new Map<string, number>();
  for (let row = 0; row < rows; row++)
    for (const { name } of source.present(row)) found.set(name, (found.get(name) ?? 0) + 1);
  for (const [name, count] of found) found.set(name, count / rows);
  return found;
}

/** Sorts rows by a field; nulls last. Numbers numerically, also beyond 2^53. */
export function orderBy(source: RowSource, field: string, descending: boolean): readonly number[] {
  const keys = Array.from({ length: source.rows }, (_, row) => source.cell(row, field));
  const sign = descending ? -1 : 1;
  const compare = (a: Cell, b: Cell): number => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const numeric = (each: Cell): each is number | bigint => typeof each === 'number' || typeof each === 'bigint';
    if (numeric(a) && numeric(b)) return sign * (a < b ? -1 : a > b ? 1 : 0);
    const [x, y] = [textOf(a), textOf(b)];
    return sign * (x < y ? -1 : x > y ? 1 : 0);
  };
  return keys.map((_, row) => row).sort((a, b) => compare(keys[a]!, keys[b]!) || a - b);
}
