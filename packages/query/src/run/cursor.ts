import { rowIdText } from '@millrace/apl';
import { item, type Select } from '@millrace/sql';

/**
 * Row ids: the place of an event in the order of its dataset, as opaque text. 16 hex digits of the
 * time (nanoseconds, shifted to be positive), 16 of the log position, 8 of the row. The lengths are
 * fixed, so that ids sort as the events do; hex digits are used because the engine writes them as
 * fast as any other column.
 */
export interface RowPlace {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly seq: bigint;
  readonly row: number;
}

const shift = 1n << 63n;
const form = /^([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{8})$/;

/** Undefined for anything this server cannot have given out. */
export function parseCursor(text: string): RowPlace | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, time = '', seq = '', row = ''] = match;
  return { time: BigInt(`0x${time}`) - shift, seq: BigInt(`0x${seq}`), row: Number.parseInt(row, 16) };
}

/** Replaces the last three columns of a query, which are the parts of a row id, with the row id. */
export function addRowIds(query: Select): Select {
  const [time, seq, row] = query.columns.slice(-3);
  if (time === undefined || seq === undefined || row === undefined) throw new RangeError('a query without row ids');
  const rowId = rowIdText(time.expr, seq.expr, row.expr);
  return { ...query, columns: [...query.columns.slice(0, -3), item(rowId, '@row id')] };
}
