import type { AnswerOf } from '@millrace/client';
import { type Cell, cellOf, cellOfJson, integerOf } from './cells.js';

/**
 * Takes the JSON of an answer apart without rounding its numbers, and without making an object of
 * every event.
 */

type Tabular = Extract<AnswerOf<'queryApl'>, { readonly format: 'tabular' }>;
type TableHead = Omit<Tabular['tables'][number], 'columns'>;

export interface RawTable {
  readonly head: TableHead;
  /** The JSON of each column: an array. */
  readonly columns: readonly string[];
}

export interface RawAnswer {
  readonly head: Omit<Tabular, 'tables'>;
  readonly tables: readonly RawTable[];
}

/**
 * No field and no value looks like this in the JSON of an answer: a quote within a text has a
 * backslash before it.
 */
const TABLES = '"tables":[{"name":"0","sources":';
const COLUMNS = '"columns":[';

/** @throws SyntaxError when it is not a whole answer, such as one that broke off */
export function splitAnswer(text: string): RawAnswer {
  const start = text.indexOf(TABLES);
  if (start < 0) throw new SyntaxError('the answer has no tables');
  const tables: RawTable[] = [];
  let at = start + '"tables":['.length;
  for (;;) {
    const columnsAt = text.indexOf(COLUMNS, at);
    if (columnsAt < 0) throw new SyntaxError('the answer breaks off before its columns');
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

/** The end of the text that begins with a quote at `at`. */
function endOfText(text: string, at: number): number {
  let end = at;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw new SyntaxError('the answer breaks off within a text');
  } while (isEscaped(text, end));
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** The end of the JSON value that begins at `at`. */
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
    // A number or a word at the top ends before what follows it.
    if (depth === 0 && (code === 44 || closes)) return next;
    next++;
    if (opens) depth++;
    else if (closes && --depth === 0) return next;
  }
  throw new SyntaxError('the answer breaks off');
}

/**
 * The values of a column from its JSON. `keep` is given the whole text of each that is cut, with
 * its row.
 */
export function cellsOf(json: string, type: string, keep: (row: number, whole: string) => void): readonly Cell[] {
  switch (type) {
    case 'integer': {
      // There are no texts in it, so every run of digits is a number.
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

/** The JSON of each element of an array. */
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

/** The members of an object: each name, and the JSON of its value. */
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
