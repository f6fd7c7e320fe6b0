import { Bytes } from './bytes';
import { equalBytes } from './memory';
import { sourceEnd } from './source';
import { setText, singleQuotes } from './text';

/**
 * Finds the cells in rows of RFC 4180 text, one row at a time, sixteen bytes per step.
 *
 *     body   = [ BOM ] *( row ( LF | CRLF | CR ) ) [ row ]
 *     row    = cell *( delimiter cell )
 *     cell   = quoted | plain
 *     quoted = '"' *( any but '"' | '""' ) '"'       directly between delimiters
 *     plain  = *( any but delimiter, LF, CR )        quotes inside are ordinary bytes, spaces and tabs are part of the value
 *
 * - Lines with only spaces and tabs are not rows, unless the delimiter starts with that byte.
 * - A quoted cell that is never closed, or that continues after its closing quote, fails its row;
 *   parsing resumes on the line after the one on which that cell was opened, so that one stray
 *   quote costs one line and not the rest of the body.
 * - Surplus cells fail their row if one of them is not empty; empty ones (a trailing delimiter)
 *   are ignored. A row may have fewer cells than there are columns.
 */

/** The result of parsing a row; the host has the same table. */
export const NO_ROW: i32 = 0;
export const ROW: i32 = 1;
/** A quoted cell is never closed, or continues after its closing quote. */
const NEVER_CLOSED: i32 = 2;
const GOES_ON: i32 = 3;
/** There are more cells than allowed. */
const SURPLUS: i32 = 4;

const QUOTE: u8 = 0x22;
const LINE_FEED: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const TAB: u8 = 0x09;

/**
 * Bytes of a cell in the table of the row: 4 for where its content begins, without quotes, 4 for
 * where it ends, 4 for its marks.
 */
export const CELL: usize = 12;
/** Flags of a cell: it has non-ASCII bytes; it has doubled quotes, each for a single quote. */
export const NOT_ASCII: i32 = 1;
export const DOUBLED: i32 = 2;

let delimiter: usize = 0;
let delimiterLength: usize = 0;
/** Where the search for the next row starts. */
let next: usize = 0;
let row: usize = 0;
let found: i32 = 0;
let opening: usize = 0;
let table: Bytes = new Bytes(0);
/** The marks of the cell whose end was found last. */
let marks: i32 = 0;

/** Rows begin at `at` and end with the source. */
export function beginCsv(at: usize, delimiterAt: usize, delimiterBytes: usize): void {
  delimiter = delimiterAt;
  delimiterLength = delimiterBytes;
  next = at;
  if (load<u8>(at) == 0xef && load<u8>(at, 1) == 0xbb && load<u8>(at, 2) == 0xbf) next += 3;
  table = new Bytes(CELL * 32);
}

/** Where the row read last begins. */
export function rowAt(): usize {
  return row;
}

/** How many cells were found in that row: all, or those before the one that failed it. */
export function cellsFound(): i32 {
  return found;
}

/** The opening quote of the cell that failed that row. */
export function openingQuote(): usize {
  return opening;
}

/** The cells of the row, without surplus ones. */
export function cellTable(): Bytes {
  return table;
}

/** Makes the content of a cell of the table the text read last. */
export function readCell(cell: usize): void {
  const start: usize = load<u32>(cell);
  const end: usize = load<u32>(cell, 4);
  if ((load<i32>(cell, 8) & DOUBLED) != 0) singleQuotes(start, end);
  else setText(start, end - start);
}

/** Finds the cells of the next row, which may have at most `max`; returns the outcome. */
export function readRow(max: i32): i32 {
  if (!skipBlankLines()) return NO_ROW;
  const end = sourceEnd();
  const cells = table;
  cells.clear();
  row = next;
  let at = next;
  let count = 0;
  let surplus = false;
  while (true) {
    let start = at;
    let behind: usize = 0;
    if (load<u8>(at) == QUOTE) {
      start++;
      behind = closingQuote(start, end);
      if (behind == 0) return failQuoted(at, count, NEVER_CLOSED);
      if (behind + 1 < end && !endsCell(behind + 1, end)) return failQuoted(at, count, GOES_ON);
      at = behind + 1;
    } else {
      behind = plainEnd(at, end);
      at = behind;
    }
    if (count < max) {
      const cell = cells.reserve(CELL);
      store<u32>(cell, <u32>start);
      store<u32>(cell, <u32>behind, 4);
      store<i32>(cell, marks, 8);
      cells.end = cell + CELL;
    } else if (behind > start) {
      surplus = true;
    }
    count++;
    if (at >= end) break;
    const byte = load<u8>(at);
    if (byte == LINE_FEED || byte == CARRIAGE_RETURN) {
      at++; // the LF of a CRLF then looks like an empty line
      break;
    }
    at += delimiterLength;
  }
  next = at;
  found = count;
  return surplus ? SURPLUS : ROW;
}

/** Moves to the first line with content; false when there is none. */
function skipBlankLines(): bool {
  const end = sourceEnd();
  const first = load<u8>(delimiter);
  while (true) {
    let at = next;
    let byte = load<u8>(at);
    while ((byte == SPACE || byte == TAB) && byte != first) byte = load<u8>(++at);
    if (at >= end) return false;
    if (byte != LINE_FEED && byte != CARRIAGE_RETURN) return true;
    next = at + 1;
  }
}

/** The end of the plain cell that begins at `start`. */
function plainEnd(start: usize, end: usize): usize {
  const first = i8x16.splat(load<i8>(delimiter));
  let high = 0;
  let i = start;
  while (i < end) {
    const bytes = v128.load(i);
    const lineEnds = v128.or(i8x16.eq(bytes, i8x16.splat(LINE_FEED)), i8x16.eq(bytes, i8x16.splat(CARRIAGE_RETURN)));
    const stops = i8x16.bitmask(v128.or(lineEnds, i8x16.eq(bytes, first)));
    if (stops == 0) {
      high |= i8x16.bitmask(bytes);
      i += 16;
      continue;
    }
    high |= i8x16.bitmask(bytes) & below(stops);
    i += ctz(stops);
    if (delimiterLength == 1 || endsCell(i, end)) break;
    // Only the first byte is that of a delimiter.
    high |= load<u8>(i) & 0x80;
    i++;
  }
  marks = high == 0 ? 0 : NOT_ASCII;
  // A delimiter may consist of zeros, like the slack after the body.
  return min(i, end);
}

/**
 * The address of the quote that closes the cell whose content begins at `start`, 0 when there is
 * none.
 */
function closingQuote(start: usize, end: usize): usize {
  let high = 0;
  let doubled = 0;
  let i = start;
  while (i < end) {
    const bytes = v128.load(i);
    const quotes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(QUOTE)));
    if (quotes == 0) {
      high |= i8x16.bitmask(bytes);
      i += 16;
      continue;
    }
    high |= i8x16.bitmask(bytes) & below(quotes);
    i += ctz(quotes);
    if (load<u8>(i, 1) != QUOTE) {
      marks = doubled | (high == 0 ? 0 : NOT_ASCII);
      return i;
    }
    doubled = DOUBLED;
    i += 2;
  }
  return 0;
}

/** The bits below the lowest one that is set. */
function below(bits: i32): i32 {
  return (bits & -bits) - 1;
}

function endsCell(at: usize, end: usize): bool {
  const byte = load<u8>(at);
  if (byte == LINE_FEED || byte == CARRIAGE_RETURN) return true;
  return at + delimiterLength <= end && equalBytes(at, delimiter, delimiterLength);
}

/** Fails the row because of the quoted cell that opens at `at`. */
function failQuoted(at: usize, cell: i32, state: i32): i32 {
  found = cell;
  opening = at;
  const end = sourceEnd();
  let lineEnd = at;
  while (lineEnd < end && load<u8>(lineEnd) != LINE_FEED && load<u8>(lineEnd) != CARRIAGE_RETURN) lineEnd++;
  next = lineEnd + 1;
  return state;
}
