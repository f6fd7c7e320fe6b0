import type { EngineColumn, OutputFormat, EngineResult } from './engine.js';

/** Content of a `JSONColumnsWithMetadata` document. */
interface ColumnsDocument {
  readonly columns: readonly EngineColumn[];
  readonly rows: number;
  readonly rowsAggregated: number | undefined;
  readonly elapsedSeconds: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

/**
 * Columnar results are requested as `JSONColumnsWithMetadata`, because `JSONCompactColumns` gives
 * neither names and types nor the number of rows read, and prints no columns at all when there are
 * no rows. The document is split at its lines (a JSON text holds no raw line feed), so the values,
 * which may be a hundred megabytes, are neither parsed nor copied.
 *
 * @param document the whole output of the engine
 * @returns the columns, their values as views into the document
 * @throws RangeError or SyntaxError if this is not exactly one such document
 */
export function readColumns(document: Uint8Array): ColumnsDocument {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const dataAt = bytes.indexOf(dataLine);
  if (dataAt < 0) throw new RangeError('the engine answered with something else than columns');
  const head = JSON.parse(`${bytes.toString('utf8', 0, dataAt).trimEnd().replace(/,$/, '')}}`) as {
    readonly meta: readonly { readonly name: string; readonly type: string }[];
  };
  const values: Uint8Array[] = [];
  let at = dataAt + dataLine.length;
  for (;;) {
    const end = bytes.indexOf(lineFeed, at);
    if (end < 0) throw new RangeError('the columns of the answer do not end');
    const line = bytes.subarray(at, end);
    at = end + 1;
    if (line[0] === tab && line[1] === closingBrace) break;
    if (line[0] === tab && line[1] === tab && line[2] === quote) values.push(valuesOf(line.subarray(2)));
  }
  // Anything after the document makes this throw too: a result must contain only this query's rows.
  const tail = JSON.parse(`{${bytes.toString('utf8', at)}`) as {
    readonly rows: number;
    readonly rows_before_aggregation?: number;
    readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number };
  };
  if (values.length !== head.meta.length && values.length !== 0) {
    throw new RangeError(`the answer has ${values.length} columns of values and names ${head.meta.length}`);
  }
  return {
    columns: head.meta.map(({ name, type }, i) => ({ name, type, values: values[i] ?? noValues })),
    rows: tail.rows,
    rowsAggregated: tail.rows_before_aggregation,
    elapsedSeconds: tail.statistics.elapsed,
    rowsRead: tail.statistics.rows_read,
    bytesRead: tail.statistics.bytes_read,
  };
}

/**
 * Parses an output of the engine.
 * @param output a `JSONColumnsWithMetadata` document if columns were requested
 * @throws RangeError or SyntaxError if columns were requested and it is something else
 */
export function answerOf(
  format: OutputFormat | undefined,
  output: Uint8Array,
  elapsedNanoseconds: number,
): EngineResult {
  if (format !== 'JSONCompactColumns')
    return { body: output, columns: [], rows: 0, statistics: { elapsedNanoseconds, rowsRead: 0, bytesRead: 0 } };
  const { columns, rows, rowsAggregated, rowsRead, bytesRead } = readColumns(output);
  return {
    body: noBody,
    columns,
    rows,
    ...(rowsAggregated !== undefined && { rowsAggregated }),
    statistics: { elapsedNanoseconds, rowsRead, bytesRead },
  };
}

const [lineFeed, tab, comma, quote, backslash, closingBrace] = [0x0a, 0x09, 0x2c, 0x22, 0x5c, 0x7d];
const dataLine = Buffer.from('\n\t"data":\n\t{\n');
const noValues = Buffer.from('[]');
const noBody = new Uint8Array();

/** `"name": [1, 2],` → `[1, 2]`. */
function valuesOf(line: Buffer): Uint8Array {
  let at = 1;
  while (at < line.length && line[at] !== quote) at += line[at] === backslash ? 2 : 1;
  return line.subarray(at + 3, line.at(-1) === comma ? -1 : undefined);
}
