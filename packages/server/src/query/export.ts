import type { Compiled, OutputColumn } from '@millrace/apl';
import type { OutputFormat, Settings } from '@millrace/engine';
import { printQuery, type Query } from '@millrace/sql';
import { formColumn, isNullAt, type ValueSpans, valuesOf } from './columns.js';
import { withRowIds } from './cursor.js';
import { encoded, Writer } from './writer.js';

/** Results of any length as bytes in the formats of exports, a piece at a time. */

export type Export = AsyncIterable<Uint8Array>;
type Stream = (sql: string, format: OutputFormat, settings: Settings) => AsyncIterable<Uint8Array>;

/** Names and SQL of what is exported: the fields, then the row id if it was compiled in. */
function columnsOf(compiled: Compiled): { readonly names: readonly string[]; readonly query: Query } {
  const names = compiled.output.map(({ name }) => name);
  if (compiled.rowId === undefined) return { names, query: compiled.query };
  return { names: [...names, '_cursor'], query: withRowIds(compiled.query) };
}

/** One object a line; an event has no member for a field it did not bring. */
export async function* ndjsonExport(compiled: Compiled, stream: Stream): AsyncGenerator<Uint8Array> {
  const { names, query } = columnsOf(compiled);
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const write = objectWriter(keys, compiled.output);
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of stream(printQuery(query), 'JSONCompactEachRow', {})) {
    const text = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = text.lastIndexOf(lineFeed) + 1;
    const out = new Writer();
    for (let from = 0; from < whole;) {
      const to = text.indexOf(lineFeed, from);
      if (to > from) write(out, text.subarray(from, to));
      from = to + 1;
    }
    // The engine may use the memory of a chunk again.
    rest = text.slice(whole);
    if (out.length > 0) yield out.take();
  }
}

const lineFeed = 0x0a;
const openBrace = encoded('{');
const closeLine = encoded('}\n');

function objectWriter(names: readonly string[], output: readonly OutputColumn[]) {
  const keys = names.map((name) => encoded(name));
  const laterKeys = names.map((name) => encoded(`,${name}`));
  return (out: Writer, row: Uint8Array): void => {
    const values: ValueSpans = valuesOf(row, keys.length);
    let first = true;
    out.bytes(openBrace);
    keys.forEach((key, i) => {
      if (isNullAt(values, i)) return;
      out.bytes(first ? key : laterKeys[i]!);
      first = false;
      if (output[i]?.json === true)
        out.bytes(formColumn(row.subarray(values.bounds[2 * i]!, values.bounds[2 * i + 1]!), 'json'));
      else out.value(values, i);
    });
    out.bytes(closeLine);
  };
}

/** A line of names, then the rows; arrays and objects are JSON texts, missing values are empty. */
export async function* csvExport(compiled: Compiled, stream: Stream): AsyncGenerator<Uint8Array> {
  const { names, query } = columnsOf(compiled);
  yield Buffer.from(`${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`, 'utf8');
  yield* stream(printQuery(query), 'CSV', { format_csv_null_representation: '' });
}

/** Columns keep the engine's types and have the names of the fields. */
export function parquetExport(compiled: Compiled, stream: Stream): Export {
  const { names, query } = columnsOf(compiled);
  if (query.kind !== 'select') throw new RangeError('an answer is a select');
  const columns = query.columns.map((column, i) => ({ ...column, alias: names[i] ?? column.alias ?? '' }));
  // A field may be called like a column of the table, which the rest of the query still means.
  return stream(printQuery({ ...query, columns }), 'Parquet', { prefer_column_name_to_alias: 1 });
}
