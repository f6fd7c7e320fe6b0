import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nanoseconds } from './values.js';

/**
 * The place of an event in the order of its dataset as text, the cursors of the HTTP interface: 16
 * hex digits of the time (nanoseconds, moved so that none is negative), 16 of the log position, 8
 * of the row. They sort as the events do.
 */
export function rowIdText(time: Expr, seq: Expr, row: Expr): Expr {
  const moved = call('bitXor', call('toUInt64', nanoseconds(time)), call('toUInt64', integer(2n ** 63n)));
  return call('concat', digits(moved, 16), literal('-'), digits(seq, 16), literal('-'), digits(row, 8));
}

/** The engine's `hex` leaves out leading zeros and writes capitals. */
const digits = (value: Expr, count: number): Expr =>
  call('leftPad', call('lower', call('hex', value)), integer(count), literal('0'));
