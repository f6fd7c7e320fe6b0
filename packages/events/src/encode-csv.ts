import { type CsvColumns, readHeader } from './csv/header.js';
import { type CsvDelimiter, CsvHeaderError } from './csv/index.js';
import { CsvRows } from './csv/rows.js';
import type { EncodeOptions, EncodeResult } from './encode.js';
import { withCore } from './core.js';
import { stopAtGarbage, EventWriter } from './event-writer.js';
import { finish } from './blocks/finish.js';
import { withinFields } from './select-fields.js';
import { checkBodySize } from './limits.js';

export interface CsvOptions {
  readonly delimiter: CsvDelimiter;
  /** The names of the columns, when the first row is data. */
  readonly header?: readonly string[];
}

/**
 * Encodes a CSV body. Every cell is a string, even an empty one, except that an empty time counts
 * as none. A row with fewer cells than the header lacks the last fields; a row that cannot be read
 * fails alone.
 *
 * Throws CsvHeaderError, LabelsError, OutOfMemoryError, and RangeError if the body exceeds
 * MAX_BODY_BYTES.
 */
export function encodeCsv(body: Uint8Array, csv: CsvOptions, given: EncodeOptions): EncodeResult {
  checkBodySize(body);
  if (isUtf16(body))
    throw new CsvHeaderError('CSV header, byte 0: expected UTF-8, found the byte order mark of UTF-16');
  return withinFields(given, (options) =>
    withCore((lease) => {
      const writer = new EventWriter(lease, body, options);
      const rows = new CsvRows(lease, body, writer.start, csv.delimiter);
      const columns = columnsOf(rows, csv, options.limits.maxCsvColumns);
      if (options.labels !== undefined) writer.setLabels(options.labels);
      writer.placeOf = (position) => `line ${rows.lineOf(position)}`;
      writer.setColumns(columns);
      stopAtGarbage(() => {
        while (rows.storeUpToFailed(columns.names.length)) writer.reject(rows.offset, () => rows.error!);
      });
      return finish(writer, options);
    }),
  );
}

const columnsOf = (rows: CsvRows, { header }: CsvOptions, maxColumns: number): CsvColumns =>
  header === undefined ? readHeader(rows, maxColumns) : { names: header, named: header.length };

/**
 * UTF-16, as spreadsheets write "Unicode text". Without this check, every byte of it would pass for
 * part of some value.
 */
function isUtf16(body: Uint8Array): boolean {
  return (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
}
