import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { plainText } from '../render/rows.js';

/** Writes rows of JSON texts as a Parquet file. */

type Row = ReadonlyMap<string, string>;
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/**
 * Parquet encoding of a column type. Columns of several types are text; arrays and objects are
 * JSON.
 */
interface Kind {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Converts a non-null cell. */
  readonly value: (cell: string) => unknown;
}

const text: Kind = { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, value: plainText };
const float: Kind = { element: { type: 'DOUBLE' }, value: Number };

const kinds: Readonly<Record<string, Kind>> = {
  integer: { element: { type: 'INT64' }, value: BigInt },
  float,
  'integer|float': float,
  'float|integer': float,
  boolean: { element: { type: 'BOOLEAN' }, value: (cell) => cell === 'true' },
  datetime: {
    element: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } },
    value: (cell) => nanoseconds(plainText(cell)),
  },
};

const rowsPerGroup = 20_000;
/** A row group is built in memory. */
const bytesPerGroup = 64 * 1024 * 1024;

/** @param columns name → types, joined by `|` */
export async function writeParquet(
  path: string,
  columns: Readonly<Record<string, string>>,
  rows: AsyncIterable<Row>,
): Promise<void> {
  const shown = Object.entries(columns).map(([name, type]) => ({ name, kind: kinds[type] ?? text }));
  const root: SchemaElement = { name: 'root', num_children: shown.length };
  const elements = shown.map(({ name, kind }): SchemaElement => ({
    name,
    repetition_type: 'OPTIONAL',
    ...kind.element,
  }));
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [root, ...elements],
    createdBy: 'millrace',
  });
  let group: Row[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (group.length === 0) return;
    const columnData = shown.map(({ name, kind }) => ({
      name,
      data: group.map((row) => {
        const cell = row.get(name);
        return cell === undefined ? null : kind.value(cell);
      }),
    }));
    await writer.write({ columnData, rowGroupSize: group.length });
    group = [];
    bytes = 0;
  };
  for await (const row of rows) {
    group.push(row);
    for (const cell of row.values()) bytes += cell.length;
    if (group.length >= rowsPerGroup || bytes >= bytesPerGroup) await flush();
  }
  await flush();
  await writer.finish();
}

/** RFC 3339 in UTC → nanoseconds since the epoch. */
function nanoseconds(time: string): bigint {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
