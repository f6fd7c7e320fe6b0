import { Bytes } from './bytes';
import { Dictionary } from './columns/dictionary';
import { releaseAll, take } from './memory';
import { readVarint, varintWidth } from './varint';

/**
 * Joins string columns of several blocks, most with dictionaries, into one dictionary: each key is
 * looked up once, however many rows it has, and repetition is not checked again.
 * `Dictionary.writeHead` describes the layout.
 */

/**
 * Bytes per column of a block: its first row in the result, its rows, the width and address of its
 * indexes, and the address of the joined index of each of its keys.
 */
const PIECE: usize = 20;

let dictionary: Dictionary = new Dictionary();
let pieces: Bytes = new Bytes(0);

/** A column begins. */
export function beginJoin(): void {
  releaseAll();
  dictionary = new Dictionary();
  pieces = new Bytes(16 * PIECE);
}

/**
 * Takes in the keys of a block's column, which lies at `at` until the joined one is written, and
 * whose first row becomes `firstRow`.
 */
export function joinDictionary(firstRow: i32, rows: i32, at: usize): void {
  const width = 1 << (<i32>load<u8>(at, 8));
  const size = load<u32>(at, 16);
  const joined = take((<usize>size) << 2);
  // Key 0 is null, written as an empty string.
  store<u32>(joined, 0);
  let text = at + 25;
  for (let key: u32 = 1; key < size; key++) {
    const length = readVarint(text);
    text += varintWidth(length);
    store<i32>(joined + ((<usize>key) << 2), dictionary.entryOf(text, length) + 1);
    text += length;
  }
  addPiece(firstRow, rows, width, text + 8, joined);
}

/** Joins a `Nullable(String)` column: each of its values is looked up. */
export function joinPlain(firstRow: i32, rows: i32, at: usize): void {
  const indexes = take((<usize>rows) << 2);
  let text = at + <usize>rows;
  for (let row: usize = 0; row < <usize>rows; row++) {
    const length = readVarint(text);
    text += varintWidth(length);
    store<i32>(indexes + (row << 2), load<u8>(at + row) == 0 ? dictionary.entryOf(text, length) + 1 : 0);
    text += length;
  }
  addPiece(firstRow, rows, JOINED, indexes, 0);
}

/** The width of indexes that are those of the joined dictionary already. */
const JOINED: i32 = 4;

function addPiece(firstRow: i32, rows: i32, width: i32, indexes: usize, joined: usize): void {
  pieces.push32(firstRow);
  pieces.push32(rows);
  pieces.push32(width);
  pieces.push32(<i32>indexes);
  pieces.push32(<i32>joined);
}

/** Bytes of the joined column's Native body. */
export function joinedBytes(rows: i32): usize {
  return dictionary.nativeBytes(rows);
}

/** Writes the joined column's Native body; rows of blocks without the column have no value. */
export function writeJoined(rows: i32, to: usize): void {
  const first = dictionary.writeHead(rows, to);
  const width = dictionary.indexWidth;
  memory.fill(first, 0, <usize>rows * width);
  for (let piece = pieces.start; piece < pieces.end; piece += PIECE) {
    writeIndexes(piece, first + <usize>load<i32>(piece) * width, width);
  }
}

function writeIndexes(piece: usize, place: usize, width: usize): void {
  const rows: usize = load<u32>(piece, 4);
  const ownWidth = load<i32>(piece, 8);
  const from: usize = load<u32>(piece, 12);
  const joined: usize = load<u32>(piece, 16);
  let to = place;
  for (let row: usize = 0; row < rows; row++, to += width) {
    let index: u32;
    if (ownWidth == 1) index = load<u32>(joined + ((<usize>load<u8>(from + row)) << 2));
    else if (ownWidth == 2) index = load<u32>(joined + ((<usize>load<u16>(from + (row << 1))) << 2));
    else index = load<u32>(from + (row << 2));
    if (width == 1) store<u8>(to, <u8>index);
    else if (width == 2) store<u16>(to, <u16>index);
    else store<u32>(to, index);
  }
}
