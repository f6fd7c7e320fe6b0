import type { AnswerOf } from '@millrace/client';
import { type Cell, cellOf, cellOfJson, integerOf } from './cells.js';

/** Splits the JSON of a result without rounding numbers, and without an object per event. */

type Tabular = Extract<AnswerOf<'queryApl'>, { readonly format: 'tabular' }>;
type TableHead = Omit<Tabular['tables'][number], 'columns'>;

export interface RawTable {
  readonly head: TableHead;
  /** JSON of each column: an array. */
  readonly columns: readonly string[];
}

export interface RawAnswer {
  readonly head: Omit<Tabular, 'tables'>;
  readonly tables: readonly RawTable[];
}

/** Unambiguous in the JSON of a result: quotes within strings are escaped. */
const TABLES = '"tables":[{"name":"0","sources":';
const COLUMNS = '"columns":[';

/** @throws SyntaxError when it is not a complete result */
export function splitAnswer(text: string): RawAnswer {
  const start = text.indexOf(TABLES);
  if (start < 0) throw new SyntaxError('the response contains no tables');
  const tables: RawTable[] = [];
  let at = start + '"tables":['.length;
  for (;;) {
    const columnsAt = text.indexOf(COLUMNS, at);
    if (columnsAt < 0) throw new SyntaxError('the response is truncated before its columns');
    const columns: string[] = [];
    let next = columnsAt + COLUMNS.length;
    while (text[next] !== ']') {
      const end = endOfValue(text, next);
      columns.push(text.slice(next, end));
      next = text[end] === ',' ? end + 1 : end;
    }
    const head = JSON.parse(`${text.slice(at, columnsAt)}"columns":[]}`) as TableHead;
    tables.push({ head, columns });
    // `]}` ends the columns and the table.
    at = next + 2;
    if (text[at] !== ',') break;
    at += 1;
  }
  return { head: JSON.parse(`${text.slice(0, start)}"tables":[]${text.slice(at + 1)}`) as RawAnswer['head'], tables };
}

const QUOTE = 34;
const BACKSLASH = 92;

/** End of the string that starts at `at`. */
function endOfText(text: string, at: number): number {
  let end = at;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw new SyntaxError('the response is truncated within a text');
  } while (isEscaped(text, end));
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** End of the JSON value that starts at `at`. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) {
      next = endOfText(text, next);
      if (depth === 0) return next;
      continue;
    }
    const opens = code === 91 || code === 123;
    const closes = code === 93 || code === 125;
    // A top-level number or keyword ends before the next delimiter.
    if (depth === 0 && (code === 44 || closes)) return next;
    next++;
    if (opens) depth++;
    else if (closes && --depth === 0) return next;
  }
  throw new SyntaxError('the response is truncated');
}

/**
 * Values of a column from its JSON. `keep` gets the whole text of truncated values, with their row.
 */
export function cellsOf(json: string, type: string, keep: (row: number, whole: string) => void): readonly Cell[] {
  switch (type) {
    case 'integer': {
      // Without strings, every run of digits is a number.
      const exact = json.replaceAll(/-?\d{16,}/g, '"$&"');
      const values = JSON.parse(exact) as (number | string | null)[];
      return exact === json
        ? (values as readonly Cell[])
        : values.map((each) => (typeof each === 'string' ? integerOf(each) : each));
    }
    case 'float':
    case 'boolean':
    case 'datetime':
      return JSON.parse(json) as readonly Cell[];
    case 'string':
    case 'timespan':
      return (JSON.parse(json) as (string | null)[]).map((each, row) => cellOf(each, (whole) => keep(row, whole)));
    default:
      return elementsOf(json).map((each, row) => cellOfJson(each, (whole) => keep(row, whole)));
  }
}

/** JSON of each array element. */
export function elementsOf(json: string): readonly string[] {
  const elements: string[] = [];
  let next = 1;
  const skip = (): void => {
    while (/[\s,]/.test(json[next] ?? '')) next++;
  };
  for (skip(); json[next] !== ']'; skip()) {
    const end = endOfValue(json, next);
    elements.push(json.slice(next, end).trim());
    next = end;
  }
  return elements;
}

/** Properties of an object: name, and JSON of the value. */
export function membersOf(json: string): readonly (readonly [name: string, json: string])[] {
  const members: (readonly [string, string])[] = [];
  let next = 1;
  while (json[next] !== '}') {
    if (json[next] === ',') next++;
    const colon = endOfText(json, next);
    const end = endOfValue(json, colon + 1);
    members.push([JSON.parse(json.slice(next, colon)) as string, json.slice(colon + 1, end)]);
    next = end;
  }
  return members;
}
