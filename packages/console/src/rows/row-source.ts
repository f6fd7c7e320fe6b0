import type { Answer } from '../data/answers/answers.js';
import { type Cell, textOf } from '../data/answers/cells.js';

/** The rows of one or more pages of an answer, as if they were one. */
export interface RowSource {
  readonly rows: number;
  readonly fields: readonly RowField[];
  /** The type of a field; empty if there is none of that name. */
  typeOf(field: string): string;
  cell(row: number, field: string): Cell;
  /** The cursor of an event; undefined for rows that are no events. */
  cursor(row: number): string | undefined;
  /** All of a value, also if the page has only its beginning. */
  whole(row: number, field: string): Promise<string>;
}

export interface RowField {
  readonly name: string;
  readonly type: string;
}

/** Columns that say where a row is; nobody sent them. */
export const CURSOR = '_cursor';

interface Page {
  readonly first: number;
  readonly answer: Answer;
}

/** The fields of an answer and of those before it. */
interface Fields {
  readonly before: Answer | undefined;
  readonly list: readonly RowField[];
}

/** Of every answer that is shown: there may be a hundred thousand, and pages follow each other. */
const fieldsUpTo = new WeakMap<Answer, Fields>();

/** All fields of some answers, in the order in which they came. */
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

/** @param order rows in another order, for a result that is sorted here */
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
  const placed = (row: number): number => order?.[row] ?? row;
  const cell = (row: number, field: string): Cell => {
    const at = placed(row);
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
    cursor: (row) => {
      const found = cell(row, CURSOR);
      return typeof found === 'string' ? found : undefined;
    },
    whole: async (row, field) => {
      const found = cell(row, field);
      if (typeof found !== 'object' || found === null || found.kind !== 'long') return textOf(found);
      const at = placed(row);
      const page = pageOf(at)!;
      return page.answer.whole(page.answer.table.index.get(field)!, at - page.first);
    },
  };
}

/** Rows in the order of a field; nulls last. Numbers as numbers, also beyond 2^53. */
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
