/**
 * Turns columns of the engine's answer into columns of ours without parsing them: the engine gives the values of a column as the
 * text of one JSON array. Most are spliced into the answer unchanged; JSON texts, which arrive as strings, are unquoted, and times
 * lose the trailing zeros of their nine digits.
 */

/** What has to be done to the values of a column. */
export type ColumnForm = 'plain' | 'json' | 'time';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const letterN = 0x6e;
const point = 0x2e;
const zero = 0x30;
const letterZ = 0x5a;
const encoder = new TextEncoder();

/** A column in the form it has in the answer. */
export function formColumn(column: Uint8Array, form: ColumnForm): Uint8Array {
  switch (form) {
    case 'plain':
      return column;
    case 'json':
      return unquoteJson(column);
    case 'time':
      return trimTimes(column);
  }
}

/** Where the values of a column lie in its text. */
export interface ValueSpans {
  readonly column: Uint8Array;
  readonly count: number;
  /** Start and end of each value, one after the other. */
  readonly bounds: Uint32Array;
}

/** Finds the values in the text of a JSON array: a column of `rows` values, or a row of as many cells. */
export function valuesOf(column: Uint8Array, rows: number): ValueSpans {
  const bounds = new Uint32Array(2 * rows);
  let at = 1;
  let count = 0;
  while (at < column.length - 1 && count < rows) {
    while (isSpace(column[at]!)) at++;
    bounds[2 * count] = at;
    at = endOfValue(column, at);
    let end = at;
    while (isSpace(column[end - 1]!)) end--;
    bounds[2 * count + 1] = end;
    count++;
    at++;
  }
  return { column, count, bounds };
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a;

/** Divides a column into its first `count` values and the others. */
export function splitColumn(column: Uint8Array, count: number): readonly [first: Uint8Array, others: Uint8Array] {
  let at = 0;
  for (let i = 0; i < count; i++) at = endOfValue(column, at + 1);
  const first = Buffer.concat([column.subarray(0, Math.max(at, 1)), end]);
  if (column[at] === closeBracket) return [first, Buffer.concat([begin, end])];
  let next = at + 1;
  while (isSpace(column[next]!)) next++;
  return [first, Buffer.concat([begin, column.subarray(next)])];
}

const begin = Uint8Array.of(openBracket);
const end = Uint8Array.of(closeBracket);

/** A value as text. */
export const textAt = ({ column, bounds }: ValueSpans, row: number): string =>
  Buffer.from(column.buffer, column.byteOffset + bounds[2 * row]!, bounds[2 * row + 1]! - bounds[2 * row]!).toString(
    'utf8',
  );

/** Whether a value is null: no other JSON value begins with that letter. */
export const isNullAt = ({ column, bounds }: ValueSpans, row: number): boolean => column[bounds[2 * row]!] === letterN;

/** The first and the last value of a column of strings that have no escapes; nothing for an empty column. */
export function firstAndLast(column: Uint8Array): readonly string[] {
  const first = column.indexOf(quote);
  if (first < 0) return [];
  const last = column.lastIndexOf(quote);
  const text = (from: number, to: number): string => Buffer.from(column.subarray(from, to)).toString('latin1');
  return [text(first + 1, column.indexOf(quote, first + 1)), text(column.lastIndexOf(quote, last - 1) + 1, last)];
}

/** Strings that hold JSON texts become those texts; nulls stay. */
function unquoteJson(column: Uint8Array): Uint8Array {
  const out = new Uint8Array(column.length);
  let length = 0;
  let i = 0;
  while (i < column.length) {
    const byte = column[i]!;
    if (byte !== quote) {
      out[length++] = byte;
      i++;
      continue;
    }
    i++;
    while (column[i] !== quote) {
      if (column[i] === backslash) {
        const [bytes, used] = unescape(column, i);
        out.set(bytes, length);
        length += bytes.length;
        i += used;
      } else {
        out[length++] = column[i++]!;
      }
    }
    i++;
  }
  return out.subarray(0, length);
}

/** `"2026-11-01T00:10:00.120000000Z"` becomes `"2026-11-01T00:10:00.12Z"`; whole seconds lose the point too. */
function trimTimes(column: Uint8Array): Uint8Array {
  const out = new Uint8Array(column.length);
  let length = 0;
  let fraction = false;
  for (let i = 0; i < column.length; i++) {
    const byte = column[i]!;
    if (byte === point) fraction = true;
    else if (byte === letterZ && fraction) {
      while (out[length - 1] === zero) length--;
      if (out[length - 1] === point) length--;
      fraction = false;
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

const singleEscapes: Readonly<Record<string, number>> = {
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  '"': quote,
  '\\': backslash,
  '/': 0x2f,
};

/** The bytes that the escape at `at` stands for, and how many bytes the escape itself takes: never fewer. */
function unescape(text: Uint8Array, at: number): readonly [bytes: Uint8Array, used: number] {
  const letter = String.fromCharCode(text[at + 1]!);
  if (letter !== 'u') return [Uint8Array.of(singleEscapes[letter] ?? text[at + 1]!), 2];
  const unit = hex(text, at + 2);
  const paired = unit >= 0xd800 && unit < 0xdc00 && text[at + 6] === backslash && text[at + 7] === 0x75;
  if (!paired) return [encoder.encode(String.fromCharCode(unit)), 6];
  return [encoder.encode(String.fromCharCode(unit, hex(text, at + 8))), 12];
}

const hex = (text: Uint8Array, at: number): number =>
  Number.parseInt(String.fromCharCode(...text.subarray(at, at + 4)), 16);

function endOfValue(text: Uint8Array, start: number): number {
  let at = start;
  let depth = 0;
  for (; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === quote) {
      at++;
      while (text[at] !== quote) at += text[at] === backslash ? 2 : 1;
    } else if (byte === openBracket || byte === 0x7b) depth++;
    else if (byte === closeBracket || byte === 0x7d) {
      if (depth === 0) break;
      depth--;
    } else if (byte === comma && depth === 0) break;
  }
  return at;
}
