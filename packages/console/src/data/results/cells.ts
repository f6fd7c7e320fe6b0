/**
 * Values of a result on the page. Integers beyond 2^53 are bigints, arrays and objects are JSON
 * text, and long texts are truncated: the worker that parsed the result keeps the rest.
 */
export type Cell = string | number | bigint | boolean | null | JsonText | LongText;

interface JsonText {
  readonly kind: 'json';
  readonly text: string;
}

interface LongText {
  readonly kind: 'long';
  readonly head: string;
  /** Length of the whole text, in UTF-16 units. */
  readonly length: number;
  readonly isJson: boolean;
}

/** Maximum length on the page: enough for a table, while browsers lay out every character. */
export const CUT_AT = 2048;

/** Whether JavaScript would round a number of this many digits. */
const LONG_NUMBER = /^-?\d{16,}$/;

export const integerOf = (digits: string): number | bigint => {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
};

/** Truncates a text without splitting a surrogate pair. */
const headOf = (text: string): string => {
  const head = text.slice(0, CUT_AT);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
};

/** Converts a value for the page; `keep` gets the whole text of a truncated one. */
export function cellOf(value: string | number | bigint | boolean | null, keep: (whole: string) => void): Cell {
  if (typeof value !== 'string' || value.length <= CUT_AT) return value;
  keep(value);
  return { kind: 'long', head: headOf(value), length: value.length, isJson: false };
}

/** Parses a value exactly. */
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

/** Text of a value for copying, searching and sorting. Null is empty. */
export function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell);
  return cell.kind === 'json' ? cell.text : cell.head;
}
