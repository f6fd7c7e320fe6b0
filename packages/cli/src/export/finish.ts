import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { membersOf } from '../answer/json-text.js';
import { split } from '../ingest/split.js';
import { csvHeader, csvLine } from '../render/rows.js';
import { writeParquet } from './parquet.js';
import { type ExportFormat, type ExportState, partOf, removeParts } from './state.js';

const readBytes = 1024 * 1024;

/**
 * Makes the requested file from the collected rows. It appears complete or not at all.
 * @returns the number of its rows
 */
export async function finish(
  output: string,
  format: ExportFormat,
  { columns = {}, rows }: ExportState,
  signal: AbortSignal,
): Promise<number> {
  const made = format === 'ndjson' ? partOf(output) : `${output}.new`;
  try {
    if (format === 'csv') await writeCsv(made, Object.keys(columns), () => rowsIn(output, signal));
    if (format === 'parquet') {
      // The library would make a file that everybody can read.
      await writeFile(made, '', { mode: 0o600 });
      await writeParquet(made, columns, rowsIn(output, signal));
    }
  } catch (error) {
    // It can be made again from the collected rows.
    await rm(made, { force: true });
    throw error;
  }
  const file = await open(made, 'r');
  await file.sync();
  await file.close();
  await rename(made, output);
  await removeParts(output);
  return rows;
}

/** Column → JSON text. */
type Row = ReadonlyMap<string, string>;

/** The collected rows; throws once the signal aborts. */
async function* rowsIn(output: string, signal: AbortSignal): AsyncGenerator<Row> {
  const file = createReadStream(partOf(output)) as AsyncIterable<Buffer>;
  for await (const { body } of split(file, { format: 'ndjson', maxBytes: readBytes, delimiter: ',', header: false })) {
    signal.throwIfAborted();
    // Split at line feeds only: other line ends of Unicode may occur within values.
    for (const line of Buffer.from(body).toString('utf8').split('\n')) if (line !== '') yield membersOf(line);
  }
}

/**
 * Writes a CSV. Rare fields, which are known only once all rows have been seen, follow the given
 * columns: where there are any, the rows are read twice.
 */
async function writeCsv(path: string, names: readonly string[], rows: () => AsyncIterable<Row>): Promise<void> {
  const others = await writeColumns(path, names, rows());
  if (others.length > 0) await writeColumns(path, [...names, ...others], rows());
}

/** @returns the names of members that have no column; what is written then is incomplete */
async function writeColumns(
  path: string,
  names: readonly string[],
  rows: AsyncIterable<Row>,
): Promise<readonly string[]> {
  const known = new Set(names);
  const others = new Set<string>();
  const file = createWriteStream(path, { mode: 0o600 });
  // It may come while a row is awaited.
  file.on('error', () => undefined);
  const write = async (text: string): Promise<void> => {
    if (file.errored !== null) throw file.errored;
    if (!file.write(text)) await once(file, 'drain');
  };
  await write(csvHeader(names));
  for await (const row of rows) {
    for (const name of row.keys()) if (!known.has(name)) others.add(name);
    if (others.size === 0) await write(csvLine(names.map((name) => row.get(name))));
  }
  file.end();
  await finished(file);
  return [...others];
}
