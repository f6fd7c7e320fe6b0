import type { BlockColumn } from '../block.js';
import { DICTIONARY_STRING } from '../fields.js';
import { readVarint, varintWidth } from './varint.js';

/** Called with the row and where its text stands in the bytes of the column. */
export type VisitText = (row: number, at: number, length: number) => void;

/** Calls `visit` for every row of a string column that has a value, in order. The layouts stand where they are written. */
export function forEachNativeText({ type, data }: BlockColumn, rows: number, visit: VisitText): void {
  if (type === DICTIONARY_STRING) forEachDictionaryText(data, rows, visit);
  else forEachPlainText(data, rows, visit);
}

function forEachPlainText(data: Uint8Array, rows: number, visit: VisitText): void {
  for (let row = 0, at = rows; row < rows; row++) {
    const length = readVarint(data, at);
    at += varintWidth(length);
    if (data[row] === 0) visit(row, at, length);
    at += length;
  }
}

function forEachDictionaryText(data: Uint8Array, rows: number, visit: VisitText): void {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const width = 1 << view.getUint8(8);
  const size = view.getUint32(16, true);
  const starts = new Uint32Array(size);
  const lengths = new Uint32Array(size);
  let at = 24;
  for (let key = 0; key < size; key++) {
    const length = readVarint(data, at);
    at += varintWidth(length);
    starts[key] = at;
    lengths[key] = length;
    at += length;
  }
  at += 8;
  for (let row = 0; row < rows; row++, at += width) {
    const key = width === 1 ? data[at]! : view.getUint16(at, true);
    if (key !== 0) visit(row, starts[key]!, lengths[key]!);
  }
}
