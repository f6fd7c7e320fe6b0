import { call, item, type Select } from '@millrace/sql';
import { type ValueSpans, valuesOf } from './columns.js';

/**
 * The row ids of a page (`cursor.ts`), put together here: how a text is made of nine functions takes the engine longer to plan than most pages
 * to read. It gives the parts in hexadecimal digits, capitals and without leading zeros.
 */

const widths = [16, 16, 8] as const;
/** With its quotes and the comma after it. */
const length = 16 + 1 + 16 + 1 + 8 + 3;

const [quote, comma, hyphen, zero, openBracket, closeBracket] = Buffer.from('",-0[]');
const digits = Buffer.from('0123456789abcdef');
/** What makes a capital small and leaves a digit what it is. */
const small = 0x20;

/** A query whose last three columns are the parts of a row id, with digits in their places. */
export function withRowIdParts(query: Select): Select {
  const [time, seq, row] = query.columns.slice(-3);
  if (time === undefined || seq === undefined || row === undefined) throw new RangeError('a query without row ids');
  return {
    ...query,
    columns: [
      ...query.columns.slice(0, -3),
      item(call('hex', call('toUnixTimestamp64Nano', time.expr)), '@time'),
      item(call('hex', seq.expr), '@seq'),
      item(call('hex', row.expr), '@row'),
    ],
  };
}

/** The row ids of which the last three columns of an answer are the parts: a column like the others. */
export function rowIdsOf(columns: readonly { readonly values: Uint8Array }[], rows: number): Uint8Array {
  const parts = columns.slice(-3).map(({ values }) => valuesOf(values, rows));
  const out = Buffer.alloc(Math.max(2, rows * length + 1), zero!);
  out[0] = openBracket!;
  let at = 1;
  for (let row = 0; row < rows; row++) {
    out[at++] = quote!;
    // The sign of the time is turned round, so that ids sort as times do.
    const time = at;
    for (const [i, width] of widths.entries()) {
      if (i > 0) out[at++] = hyphen!;
      copyDigits(parts[i]!, row, out, at + width);
      at += width;
    }
    out[time] = digits[digits.indexOf(out[time]!) ^ 8]!;
    out[at++] = quote!;
    out[at++] = comma!;
  }
  out[out.length - 1] = closeBracket!;
  return out;
}

/** Writes the digits of a value before `end`. */
function copyDigits({ column, bounds }: ValueSpans, row: number, out: Uint8Array, end: number): void {
  const first = bounds[2 * row]! + 1;
  let to = end;
  for (let from = bounds[2 * row + 1]! - 2; from >= first; from--) out[--to] = column[from]! | small;
}
