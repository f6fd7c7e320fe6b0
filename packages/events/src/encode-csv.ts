import { type CsvDelimiter, CsvHeaderError, CsvReader, readHeader } from './csv/index.js';
import type { EncodeOptions, EncodeResult } from './encode.js';
import { withCore } from './core.js';
import { EventWriter } from './event-writer.js';
import { finish } from './finish.js';
import { checkBodySize } from './limits.js';
import { type Role, roleOf } from './roles.js';

export interface CsvOptions {
  readonly delimiter: CsvDelimiter;
  /** The names of the columns, when the first row is data. */
  readonly header?: readonly string[];
}

/** A column of the body and where its cells go. */
interface CsvColumn {
  readonly name: string;
  readonly role: Role;
  /** Address of the field. */
  readonly field: number;
}

/**
 * Encodes a body of CSV. Every cell is a string, the empty one too, except that an empty time counts as none. A row with
 * fewer cells than the header lacks the last fields; a row that cannot be read fails alone.
 *
 * Throws CsvHeaderError, LabelsError, OutOfMemoryError, and RangeError if the body exceeds MAX_BODY_BYTES.
 */
export function encodeCsv(body: Uint8Array, csv: CsvOptions, options: EncodeOptions): EncodeResult {
  checkBodySize(body);
  if (isUtf16(body))
    throw new CsvHeaderError('CSV header, byte 0: expected UTF-8, found the byte order mark of UTF-16');
  const rows = new CsvReader(body, csv.delimiter, options.limits.maxCsvColumns);
  const names = csv.header ?? readHeader(rows);
  rows.columns = names.length;
  return withCore((lease) => {
    const writer = new EventWriter(lease, body, options);
    writer.placeOf = () => `line ${rows.line}`;
    const columns = names.map((name) => csvColumn(writer, name, options));
    while (rows.next()) {
      writer.core.beginEvent();
      const { error, offset } = rows;
      if (error !== undefined) {
        writer.reject(offset, () => error);
        continue;
      }
      for (let cell = 0; cell < rows.cells; cell++) store(writer, columns[cell]!, rows, cell);
      writer.end(offset);
    }
    return finish(writer, options);
  });
}

function csvColumn(writer: EventWriter, name: string, options: EncodeOptions): CsvColumn {
  return { name, role: roleOf(name, options), field: writer.fields.named(name).address };
}

/** As spreadsheets write "Unicode text". Every byte of it would pass for part of some value. */
function isUtf16(body: Uint8Array): boolean {
  return (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
}

/** The current event gets a cell of the row. */
function store(writer: EventWriter, { name, role, field }: CsvColumn, row: CsvReader, cell: number): void {
  const start = row.start(cell);
  const end = row.end(cell);
  const quoted = row.escaped(cell);
  if (role === 'plain' || role === 'map') writer.cell(field, start, end, row.ascii(cell), quoted);
  else if (role === 'too-long') writer.dropCell(name);
  else if (end > start) writer.timeCell(role === 'time', start, end, quoted);
}
