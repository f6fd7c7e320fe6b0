/**
 * Values of an answer as the page has them. Integers beyond 2^53 are bigints, arrays and objects
 * are JSON text, and long texts are cut: the rest of them stays in the worker that read the answer
 * until somebody wants it.
 */
export type Cell = string | number | bigint | boolean | null | JsonText | LongText;

interface JsonText {
  readonly kind: 'json';
  readonly text: string;
}

interface LongText {
  readonly kind: 'long';
  readonly head: string;
  /** Of the whole text, in UTF-16 units. */
  readonly length: number;
  readonly isJson: boolean;
}

/**
 * How much of a value a page gets: more is never read in a table, and a browser lays out every
 * letter of it.
 */
export const CUT_AT = 2048;

/** Whether a number has so many digits that JavaScript would round it. */
const LONG_NUMBER = /^-?\d{16,}$/;

export const integerOf = (digits: string): number | bigint => {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
};

/** The beginning of a text, not ending within a pair. */
const headOf = (text: string): string => {
  const head = text.slice(0, CUT_AT);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
};

/** A value as the page gets it; `keep` is given the whole text of one that is cut. */
export function cellOf(value: string | number | bigint | boolean | null, keep: (whole: string) => void): Cell {
  if (typeof value !== 'string' || value.length <= CUT_AT) return value;
  keep(value);
  return { kind: 'long', head: headOf(value), length: value.length, isJson: false };
}

/** A value from its JSON, exactly. */
export function cellOfJson(json: string, keep: (whole: string) => void): Cell {
  const first = json[0];
  if (first === '{' || first === '[') {
    if (json.length <= CUT_AT) return { kind: 'json', text: json };
    keep(json);
    return { kind: 'long', head: headOf(json), length: json.length, isJson: true };
  }
  if (LONG_NUMBER.test(json)) return integerOf(json);
  return cellOf(JSON.parse(json) as string | number | boolean | null, keep);
}

/**
 * The text of a value: what is copied, and what a column is searched and sorted by. Null is empty.
 */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell);
  return cell.kind === 'json' ? cell.text : cell.head;
}
