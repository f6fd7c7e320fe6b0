import { call, integer, item, literal, type Expr, type Query } from '@millrace/sql';

/**
 * Row ids: the place of an event in the order of its dataset, as opaque text. 16 hex digits of the time (nanoseconds, shifted
 * to be positive), 16 of the log position, 8 of the row. Equal lengths throughout, so that ids sort as the events do; hex
 * digits, so that the engine writes them as fast as any other column.
 */
export interface RowPlace {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly seq: bigint;
  readonly row: number;
}

const shift = 1n << 63n;
const form = /^([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{8})$/;

const hex = (value: bigint | number, digits: number): string => value.toString(16).padStart(digits, '0');

export const formatCursor = ({ time, seq, row }: RowPlace): string =>
  `${hex(time + shift, 16)}-${hex(seq, 16)}-${hex(row, 8)}`;

/** Undefined for anything this server cannot have given out. */
export function parseCursor(text: string): RowPlace | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, time = '', seq = '', row = ''] = match;
  return { time: BigInt(`0x${time}`) - shift, seq: BigInt(`0x${seq}`), row: Number.parseInt(row, 16) };
}

/** A query whose last three columns are the parts of a row id, with the row id in their place. */
export function withRowIds(query: Query): Query {
  if (query.kind !== 'select') throw new RangeError('row ids are columns of a select');
  const [time, seq, row] = query.columns.slice(-3);
  if (time === undefined || seq === undefined || row === undefined) throw new RangeError('a query without row ids');
  const nanoseconds = call('toUInt64', call('toUnixTimestamp64Nano', time.expr));
  const rowId = call(
    'concat',
    digits(call('bitXor', nanoseconds, call('toUInt64', integer(shift))), 16),
    literal('-'),
    digits(seq.expr, 16),
    literal('-'),
    digits(row.expr, 8),
  );
  return { ...query, columns: [...query.columns.slice(0, -3), item(rowId, '@row id')] };
}

/** The engine's `hex` leaves out leading zeros and writes capitals. */
const digits = (value: Expr, count: number): Expr =>
  call('leftPad', call('lower', call('hex', value)), integer(count), literal('0'));
