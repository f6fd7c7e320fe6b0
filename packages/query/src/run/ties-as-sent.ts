import { findValues } from './columns.js';
import { rowIdBytes } from './row-ids.js';

/**
 * The order of a page of the newest events whose query names none: events of equal times come in
 * the order sent (docs/decisions/0037). The engine reads its own order
 * backward at no cost, and only runs of equal times within the page are turned round here.
 */

/** Digits of the time, with which a row ID begins. */
const timeBytes = 16;
const rowsInStep = 1000;

/** Where a row ID begins in its column, behind the bracket and its quote. */
const startOf = (row: number): number => 2 + row * rowIdBytes;

/**
 * The rows of a page in the order of the response, newest times first, each as its place in the
 * engine's result; undefined if that order is the same. In steps.
 * @param rowIds the row IDs as a column
 */
export function* orderTiesAsSent(rowIds: Uint8Array, rows: number): Generator<void, Uint32Array | undefined> {
  let order: Uint32Array | undefined;
  for (let first = 0; first < rows;) {
    let end = first + 1;
    for (; end < rows && compare(rowIds, first, end, timeBytes) === 0; end++) if (end % rowsInStep === 0) yield;
    if (end - first > 1) {
      order ??= Uint32Array.from({ length: rows }, (_, row) => row);
      // Rows that one event was expanded to have equal IDs and keep their order.
      order.subarray(first, end).sort((a, b) => compare(rowIds, a, b, rowIdBytes - 3) || a - b);
      yield;
    }
    first = end;
  }
  return order;
}

/** Compares the first bytes of the row IDs of two rows. */
function compare(rowIds: Uint8Array, a: number, b: number, bytes: number): number {
  const [from, other] = [startOf(a), startOf(b)];
  for (let i = 0; i < bytes; i++) {
    const difference = rowIds[from + i]! - rowIds[other + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A column with its values in another order; in steps. */
export function* reorderColumn(column: Uint8Array, order: Uint32Array): Generator<void, Uint8Array> {
  const { bounds } = yield* findValues(column, order.length);
  const out = Buffer.allocUnsafeSlow(column.length);
  out[0] = column[0]!;
  let at = 1;
  for (let i = 0; i < order.length; i++) {
    if (i % rowsInStep === 0) yield;
    if (i > 0) out[at++] = comma;
    const row = order[i]!;
    const end = bounds[2 * row + 1]!;
    for (let from = bounds[2 * row]!; from < end; from++) out[at++] = column[from]!;
  }
  out[at++] = closeBracket;
  return out.subarray(0, at);
}

const comma = 0x2c;
const closeBracket = 0x5d;
