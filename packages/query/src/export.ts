import type { CompiledQuery, OutputColumn, ScalarType } from '@millrace/apl';
import type { OutputFormat, Settings } from '@millrace/engine';
import type { Select } from '@millrace/sql';
import { Yielder } from '@millrace/runtime/async/yield';
import { formColumn, isNullAt, textAt, type ValueSpans, valuesOf } from './run/columns.js';
import { addRowIds } from './run/cursor.js';
import { rareObject, type RareValue, rareValues, rareValuesInPieces, shortObject } from './run/rare-fields.js';
import { encodeText, Writer } from './results/writer.js';

/** Writes results of any length in the formats of exports, a piece at a time. */

export type Export = AsyncIterable<Uint8Array>;
type Stream = (query: Select, format: OutputFormat, settings: Settings) => AsyncIterable<Uint8Array>;

/** Input of an export. */
interface ExportInput {
  readonly compiled: CompiledQuery;
  /** Each event is followed by its row id, if rows are events. */
  readonly cursors: boolean;
}

/**
 * The query with the exported columns: the fields, the object of rare fields if there are any, and
 * the row ID if requested.
 */
function queryOf({ compiled, cursors }: ExportInput): Select {
  const { query, rowId } = compiled;
  if (rowId === undefined) return query;
  return cursors ? addRowIds(query) : { ...query, columns: query.columns.slice(0, -3) };
}

const hasCursor = ({ compiled, cursors }: ExportInput): boolean => cursors && compiled.rowId !== undefined;

/** One object per line; missing fields of an event are omitted. */
export async function* ndjsonExport(exported: ExportInput, stream: Stream): AsyncGenerator<Uint8Array> {
  const write = objectWriter(exported);
  // A row may be longer than a chunk, and be put together once.
  let rest: Uint8Array[] = [];
  for await (const chunk of stream(queryOf(exported), 'JSONCompactEachRow', {})) {
    if (!chunk.includes(lineFeed)) {
      rest.push(chunk.slice());
      continue;
    }
    const text = rest.length === 0 ? chunk : Buffer.concat([...rest, chunk]);
    const whole = text.lastIndexOf(lineFeed) + 1;
    const out = new Writer();
    for (let from = 0; from < whole;) {
      const to = text.indexOf(lineFeed, from);
      const written = to > from ? write(out, text.subarray(from, to)) : undefined;
      if (written !== undefined) await written;
      from = to + 1;
    }
    rest = whole < text.byteLength ? [text.slice(whole)] : [];
    yield* out.take();
  }
}

const lineFeed = 0x0a;
const none = new Uint8Array();
const comma = encodeText(',');
const openBrace = encodeText('{');
const closeLine = encodeText('}\n');
const fraction = encodeText('.0');

/** Types whose values may be written as integers. */
const haveIntegers: ReadonlySet<ScalarType> = new Set(['long', 'timespan', 'dynamic', 'array', 'bag']);

/** Whether the bytes are an integer in JSON. */
function isWholeNumber(json: Uint8Array): boolean {
  const first = json[0] === 0x2d ? 1 : 0;
  for (let at = first; at < json.byteLength; at++) if (json[at]! < 0x30 || json[at]! > 0x39) return false;
  return json.byteLength > first;
}

/**
 * Writes rows as objects. The cells of a row are the fields, then the object of rare fields and the
 * row ID, if there are any. A row with very many rare fields is written in chunks, and the caller
 * must await it.
 */
function objectWriter(exported: ExportInput): (out: Writer, row: Uint8Array) => Promise<void> | undefined {
  const { output, rest } = exported.compiled;
  const places = new Map(output.map(({ name }, i) => [name, i]));
  const members: readonly (Pick<OutputColumn, 'name' | 'json'> | 'rare')[] = [
    ...output,
    ...(rest === undefined ? [] : ['rare' as const]),
    ...(hasCursor(exported) ? [{ name: '_cursor', json: false }] : []),
  ];
  const keys = members.map((member) => (member === 'rare' ? none : encodeText(`${JSON.stringify(member.name)}:`)));
  // In a field that also has integers, a number without a fraction may be either.
  const areFloats = output.map(({ types }) => types.includes('real') && !types.some((type) => haveIntegers.has(type)));
  const laterKeys = keys.map((key) => Buffer.concat([comma, key]));
  const last = members.indexOf('rare');
  const yielder = new Yielder();
  return (out, row) => {
    const values: ValueSpans = valuesOf(row, members.length);
    let first = true;
    const writeCells = (from: number, to: number): void => {
      for (let i = from; i < to; i++) {
        const member = members[i]!;
        if (member === 'rare' || isNullAt(values, i)) continue;
        out.bytes(first ? keys[i]! : laterKeys[i]!);
        first = false;
        const cell = row.subarray(values.bounds[2 * i]!, values.bounds[2 * i + 1]!);
        const formed = member.json ? formColumn(cell, 'json') : cell;
        out.bytes(formed);
        // The engine prints 1.0 as 1, which readers of the file would take for an integer.
        if (areFloats[i] === true && isWholeNumber(formed)) out.bytes(fraction);
      }
    };
    const writeRare = (some: readonly RareValue[]): void => {
      for (const { name, json } of some) {
        const place = places.get(name);
        // A field that is rare in one dataset of a union may have a column because of another.
        if (place !== undefined && !isNullAt(values, place)) continue;
        out.text(`${first ? '' : ','}${JSON.stringify(name)}:${json}`);
        first = false;
      }
    };
    const end = (): void => {
      writeCells(last + 1, members.length);
      out.bytes(closeLine);
    };
    out.bytes(openBrace);
    writeCells(0, Math.max(0, last));
    if (last >= 0 && !isNullAt(values, last)) {
      const cell = row.subarray(values.bounds[2 * last]!, values.bounds[2 * last + 1]!);
      if (cell.length > shortObject)
        return (async () => {
          for await (const some of rareValuesInPieces(cell, yielder)) writeRare(some);
          end();
        })();
      writeRare(rareValues(textAt(values, last)));
    }
    end();
    return undefined;
  };
}

/**
 * Names and query for formats whose columns have to be known before the first row. Rare fields, of
 * which there may be a hundred thousand, share the column `_rest` as an object.
 */
function columnsOf(exported: ExportInput): { readonly names: readonly string[]; readonly query: Select } {
  const { output, rest } = exported.compiled;
  const query = queryOf(exported);
  const fields = output.map(({ name }) => name);
  const cursor = hasCursor(exported) ? ['_cursor'] : [];
  if (rest === undefined) return { names: [...fields, ...cursor], query };
  const columns = query.columns.map((column, i) =>
    i === output.length ? { ...column, expr: rareObject(column.expr) } : column,
  );
  return { names: [...fields, freeName('_rest', fields), ...cursor], query: { ...query, columns } };
}

/** The name, lengthened while a field already has it. */
function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? freeName(`${name}_`, taken) : name;
}

/** A line of names, then the rows; arrays and objects are JSON texts, missing values are empty. */
export function csvExport(exported: ExportInput, stream: Stream): Export {
  const { names, query } = columnsOf(exported);
  const header = encodeText(`${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`);
  // A line without anything is no row to many readers.
  const missing = names.length === 1 ? '""' : '';
  const rows = stream(query, 'CSV', { format_csv_null_representation: missing });
  return begunWith(header, rows, header.byteLength);
}

/**
 * Columns have the engine's types and the names of the fields. The field with the empty name, which
 * is no valid column name, becomes `_empty`.
 */
export function parquetExport(exported: ExportInput, stream: Stream): Export {
  const { names, query } = columnsOf(exported);
  const named = names.map((name) => (name === '' ? freeName('_empty', names) : name));
  const columns = query.columns.map((column, i) => ({ ...column, alias: named[i] ?? column.alias ?? '' }));
  // A field may have the name of a table column, and the rest of the query still means that column.
  const rows = stream({ ...query, columns }, 'Parquet', { prefer_column_name_to_alias: 1 });
  return begunWith(none, endWithTrailer(rows), emptyFile);
}

/**
 * Delays the last chunk until the query has succeeded: the engine completes a file even when the
 * query fails midway, and clients must not take the first part for the complete result.
 */
export async function* endWithTrailer(pieces: Export): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (last !== undefined) yield last;
    last = piece;
  }
  if (last !== undefined) yield last;
}

/**
 * Bytes; more than a file without rows takes. The engine writes such a file even when the query
 * fails.
 */
const emptyFile = 1024 * 1024;

/**
 * Delays a head until more than `min` bytes follow it: a head does not show that the query runs,
 * and a query that fails before its first row must return an error, not a short file.
 */
async function* begunWith(head: Uint8Array, following: Export, min: number): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array | undefined = head;
  for await (const piece of following) {
    const next: Uint8Array = pending === undefined ? piece : Buffer.concat([pending, piece]);
    pending = pending !== undefined && next.byteLength <= min ? next : undefined;
    if (pending === undefined) yield next;
  }
  if (pending !== undefined) yield pending;
}
