import type { OutputColumn } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/timestamps';
import { parseCursor } from '../run/cursor.js';
import { findValues, isNullAt, spansOf, textAt, type ValueSpans } from '../run/columns.js';
import type { QueryOutcome } from '../run/outcome.js';
import { encodeText, type Writer } from './writer.js';

const pieces = {
  first: encodeText('{"_time":'),
  next: encodeText(',{"_time":'),
  sysTime: encodeText(',"_sysTime":'),
  rowId: encodeText(',"_rowId":'),
  data: encodeText(',"data":{'),
  end: encodeText('}}'),
  none: encodeText('""'),
};

/** Writes the events of a result as objects, for the legacy format; in steps. */
export function* writeMatches(out: Writer, { table, rowIds, arrivals }: QueryOutcome): Generator<void> {
  const { rows, output } = table;
  const spans = yield* spansOf(table.columns, rows);
  const ids = rowIds === undefined ? undefined : yield* findValues(rowIds, rows);
  const arrived = arrivals === undefined ? undefined : yield* findValues(arrivals, rows);
  const at = (name: string): ValueSpans | undefined => spans[output.findIndex((column) => isTime(column, name))];
  const time = at('_time');
  const sysTime = at('_sysTime');
  const data = output.flatMap((column, i) => {
    const { name } = column;
    return isTime(column, '_time') || isTime(column, '_sysTime')
      ? []
      : [
          {
            key: encodeText(`${JSON.stringify(name)}:`),
            later: encodeText(`,${JSON.stringify(name)}:`),
            values: spans[i]!,
          },
        ];
  });
  const write = (values: ValueSpans | undefined, row: number, otherwise: () => Uint8Array): void => {
    if (values === undefined || isNullAt(values, row)) out.bytes(otherwise());
    else out.value(values, row);
  };
  for (let row = 0; row < rows; row++) {
    yield;
    out.bytes(row === 0 ? pieces.first : pieces.next);
    // Every match has both times, even if the query dropped them; the row ID contains the event
    // time.
    const placeMatches = (): Uint8Array => timeOfId(ids, row);
    write(time, row, placeMatches);
    out.bytes(pieces.sysTime);
    write(sysTime === undefined || isNullAt(sysTime, row) ? arrived : sysTime, row, placeMatches);
    out.bytes(pieces.rowId);
    write(ids, row, () => pieces.none);
    out.bytes(pieces.data);
    // Missing fields of an event are omitted.
    let first = true;
    for (const { key, later, values } of data) {
      if (isNullAt(values, row)) continue;
      out.bytes(first ? key : later);
      out.value(values, row);
      first = false;
    }
    out.bytes(pieces.end);
  }
}

/**
 * Whether a column is one of the times of a match: one of that name that the query made of
 * something else is like any other column.
 */
const isTime = ({ name, types: [type, ...others] }: OutputColumn, wanted: string): boolean =>
  name === wanted && type === 'datetime' && others.length === 0;

/** The time in a row id, as JSON; the epoch for rows that are not events. */
function timeOfId(ids: ValueSpans | undefined, row: number): Uint8Array {
  const place = ids === undefined ? undefined : parseCursor(textAt(ids, row).slice(1, -1));
  return encodeText(JSON.stringify(formatRfc3339(place?.time ?? 0n)));
}
