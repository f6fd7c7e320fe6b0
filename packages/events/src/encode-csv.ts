import { type CsvDelimiter, CsvHeaderError, CsvReader, readHeader } from './csv/index.js';
import type { EncodeOptions, EncodeResult } from './encode.js';
import { TYPE_BIT, type Field } from './columns/field.js';
import { EventWriter } from './event-writer.js';
import { finish } from './finish.js';
import { Source } from './json/source.js';
import { writeTooLong } from './json/text.js';
import { checkBodySize } from './limits.js';
import { type Role, roleOf } from './roles.js';
import { copyText } from './utf8.js';

export interface CsvOptions {
  readonly delimiter: CsvDelimiter;
  /** The names of the columns, when the first row is data. */
  readonly header?: readonly string[];
}

/** A column of the body and where its cells go. */
interface CsvColumn {
  readonly name: string;
  readonly role: Role;
  readonly field: Field;
}

/**
 * Encodes a body of CSV. Every cell is a string, the empty one too, except that an empty time counts as none. A row with
 * fewer cells than the header lacks the last fields; a row that cannot be read fails alone.
 *
 * Throws CsvHeaderError, LabelsError, and RangeError if the body exceeds MAX_BODY_BYTES.
 */
export function encodeCsv(body: Uint8Array, csv: CsvOptions, options: EncodeOptions): EncodeResult {
  checkBodySize(body);
  if (isUtf16(body))
    throw new CsvHeaderError('CSV header, byte 0: expected UTF-8, found the byte order mark of UTF-16');
  const rows = new CsvReader(body, csv.delimiter, options.limits.maxCsvColumns);
  const names = csv.header ?? readHeader(rows);
  rows.columns = names.length;
  const writer = new EventWriter(options);
  const columns = names.map((name) => ({ name, role: roleOf(name, options), field: writer.batch.field(name) }));
  const source = new Source(body);
  while (rows.next()) {
    writer.begin();
    const { error, offset } = rows;
    if (error !== undefined) {
      writer.reject(offset, () => error);
      continue;
    }
    for (let cell = 0; cell < rows.cells; cell++) store(writer, columns[cell]!, source, rows, cell, options);
    writer.end(offset, () => `line ${rows.line}`);
  }
  return finish(writer, options);
}

/** As spreadsheets write "Unicode text". Every byte of it would pass for part of some value. */
function isUtf16(body: Uint8Array): boolean {
  return (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
}

/** The current event gets a cell of the row, whose bytes stand in `body`. */
function store(
  { batch, time, scratch }: EventWriter,
  { name, role, field }: CsvColumn,
  body: Source,
  row: CsvReader,
  cell: number,
  { limits }: EncodeOptions,
): void {
  const source = row.escaped(cell) ? new Source(row.bytes(cell)) : body;
  const start = source === body ? row.start(cell) : 0;
  const end = source === body ? row.end(cell) : source.end;
  if (role === 'time' || role === 'default-time') {
    if (end > start) time.setText(role === 'time', source.buffer, start, end);
  } else if (role === 'too-long') {
    batch.dropLongName(name);
  } else if ((field.allowed & TYPE_BIT.string) === 0) {
    batch.refuse(field, 'string');
  } else {
    batch.begin(field);
    const column = field.stringColumn(batch.arena);
    if (end - start <= limits.maxValueBytes && row.ascii(cell)) {
      column.push(batch.rows, source, start, end - start);
    } else {
      scratch.clear();
      copyText(source, start, end, scratch);
      if (scratch.cursor - scratch.start > limits.maxValueBytes) writeTooLong(scratch, scratch.start);
      column.push(batch.rows, scratch, scratch.start, scratch.cursor - scratch.start);
    }
    batch.end(field, column);
  }
}
