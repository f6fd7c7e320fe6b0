import { atOnce } from '@millrace/events';

/**
 * Converts columns of the engine's result to response columns without parsing them: the engine
 * returns the values of a column as the text of one JSON array. Most are spliced into the response
 * unchanged; JSON texts, which arrive as strings, are unquoted, and times lose the trailing zeros
 * of their nine digits.
 */

/** How the values of a column must be converted. */
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

/** Bytes per step: a fraction of a millisecond. */
const usualStep = 64 * 1024;

/** A column in the form of the response. */
export const formColumn = (column: Uint8Array, form: ColumnForm): Uint8Array => atOnce(convertColumn(column, form));

/**
 * `formColumn` in steps: a column may have hundreds of megabytes, and one value may be all of it.
 */
export function* convertColumn(column: Uint8Array, form: ColumnForm, step = usualStep): Generator<void, Uint8Array> {
  if (form === 'plain') return column;
  const advance = form === 'json' ? unquoteJson : trimTimes;
  const work: Work = { column, at: 0, out: Buffer.allocUnsafeSlow(column.length), length: 0, isInside: false };
  while (work.at < column.length) {
    advance(work, work.at + step);
    yield;
  }
  return work.out.subarray(0, work.length);
}

/** How far a column has been written in another form. */
interface Work {
  readonly column: Uint8Array;
  at: number;
  readonly out: Uint8Array;
  length: number;
  /** A string has begun, or the fraction of a time, and has not ended. */
  isInside: boolean;
}

/** Where the values of a column lie in its text. */
export interface ValueSpans {
  readonly column: Uint8Array;
  readonly count: number;
  /** Start and end of each value, interleaved. */
  readonly bounds: Uint32Array;
}

/**
 * Finds the values in the text of a JSON array: a column of `rows` values, or a row of that many
 * cells.
 */
export const valuesOf = (column: Uint8Array, rows: number): ValueSpans => atOnce(findValues(column, rows));

/** `valuesOf` in steps. */
export function* findValues(column: Uint8Array, rows: number, step = usualStep): Generator<void, ValueSpans> {
  const bounds = new Uint32Array(2 * rows);
  const search: Search = { at: 1, depth: 0, isInside: false };
  const end = column.length - 1;
  let count = 0;
  let hasBegun = false;
  // The bracket that ends the column ends its last value too.
  while (count < rows && (hasBegun || search.at < end)) {
    const stop = search.at + step;
    while (count < rows && (hasBegun || search.at < end) && search.at < stop) {
      if (!hasBegun) {
        search.at = behindSpaces(column, search.at);
        bounds[2 * count] = search.at;
        hasBegun = true;
      }
      if (!endOfValue(column, search, stop)) break;
      let last = search.at;
      while (isSpace(column[last - 1]!)) last--;
      bounds[2 * count + 1] = last;
      count++;
      search.at++;
      hasBegun = false;
    }
    yield;
  }
  return { column, count, bounds };
}

/** The values of several columns of so many rows, found in steps. */
export function* spansOf(columns: readonly Uint8Array[], rows: number): Generator<void, readonly ValueSpans[]> {
  const spans: ValueSpans[] = [];
  for (const column of columns) spans.push(yield* findValues(column, rows));
  return spans;
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a;

function behindSpaces(text: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(text[at]!)) at++;
  return at;
}

/**
 * Divides a column into its first `count` values and the others, which stay where they are: the
 * column cannot be used afterwards.
 */
export function* splitColumn(
  column: Uint8Array,
  count: number,
  step = usualStep,
): Generator<void, readonly [first: Uint8Array, others: Uint8Array]> {
  const { bounds } = yield* findValues(column, count, step);
  const last = Math.max(1, bounds[2 * count - 1] ?? 1);
  const first = Buffer.concat([column.subarray(0, last), end]);
  const behind = behindSpaces(column, last);
  if (column[behind] === closeBracket) return [first, Buffer.concat([begin, end])];
  const others = column.subarray(behindSpaces(column, count === 0 ? behind : behind + 1) - 1);
  others[0] = openBracket;
  return [first, others];
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

/**
 * The first and the last value of a column of strings that have no escapes; nothing for an empty
 * column.
 */
export function firstAndLast(column: Uint8Array): readonly string[] {
  const first = column.indexOf(quote);
  if (first < 0) return [];
  const last = column.lastIndexOf(quote);
  const text = (from: number, to: number): string => Buffer.from(column.subarray(from, to)).toString('latin1');
  return [text(first + 1, column.indexOf(quote, first + 1)), text(column.lastIndexOf(quote, last - 1) + 1, last)];
}

/** Strings that hold JSON texts become those texts; nulls stay. */
function unquoteJson(work: Work, stop: number): void {
  const { column, out } = work;
  const last = Math.min(stop, column.length);
  let { at, length, isInside } = work;
  while (at < last) {
    const byte = column[at]!;
    if (byte === quote) {
      isInside = !isInside;
      at++;
    } else if (byte === backslash && isInside) {
      const [bytes, used] = unescape(column, at);
      out.set(bytes, length);
      length += bytes.length;
      at += used;
    } else {
      out[length++] = byte;
      at++;
    }
  }
  Object.assign(work, { at, length, isInside });
}

/**
 * `"2026-11-01T00:10:00.120000000Z"` becomes `"2026-11-01T00:10:00.12Z"`; whole seconds lose the
 * point too.
 */
function trimTimes(work: Work, stop: number): void {
  const { column, out } = work;
  const last = Math.min(stop, column.length);
  let { at, length, isInside } = work;
  for (; at < last; at++) {
    const byte = column[at]!;
    if (byte === point) isInside = true;
    else if (byte === letterZ && isInside) {
      while (out[length - 1] === zero) length--;
      if (out[length - 1] === point) length--;
      isInside = false;
    }
    out[length++] = byte;
  }
  Object.assign(work, { at, length, isInside });
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

/**
 * The bytes of the escape sequence at `at`, and the length of the sequence, which is never shorter.
 */
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

/** How far the end of a value has been searched. */
interface Search {
  at: number;
  depth: number;
  /** In a string. */
  isInside: boolean;
}

/**
 * Looks on for the end of a value, not beyond `stop` by more than an escape; whether it was found.
 */
function endOfValue(text: Uint8Array, search: Search, stop: number): boolean {
  const last = Math.min(stop, text.length);
  let { at, depth, isInside } = search;
  let isFound = false;
  for (; at < last; at++) {
    const byte = text[at]!;
    if (isInside) {
      if (byte === backslash) at++;
      else if (byte === quote) isInside = false;
    } else if (byte === quote) isInside = true;
    else if (byte === openBracket || byte === 0x7b) depth++;
    else if ((byte === closeBracket || byte === 0x7d) && depth > 0) depth--;
    else if (depth === 0 && (byte === comma || byte === closeBracket || byte === 0x7d)) {
      isFound = true;
      break;
    }
  }
  Object.assign(search, { at, depth, isInside });
  return isFound || at >= text.length;
}
