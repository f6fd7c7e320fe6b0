import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { membersOf } from '../result/json-text.js';
import { split } from '@millrace/sources/files/split';
import { csvHeader, csvLine } from '../render/rows.js';
import { writeParquet } from './parquet.js';
import { type ExportFormat, type ExportState, partOf, removeParts } from './state.js';

const readBytes = 1024 * 1024;

/**
 * Converts the collected rows to the requested format; the file is created atomically.
 * @returns its row count
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
      // The library would create a world-readable file.
      await writeFile(made, '', { mode: 0o600 });
      await writeParquet(made, columns, rowsIn(output, signal));
    }
  } catch (error) {
    // Can be rebuilt from the collected rows.
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

/** The collected rows; throws when the signal aborts. */
async function* rowsIn(output: string, signal: AbortSignal): AsyncGenerator<Row> {
  const file = createReadStream(partOf(output)) as AsyncIterable<Buffer>;
  for await (const { body } of split(file, { format: 'ndjson', maxBytes: readBytes, delimiter: ',', header: false })) {
    signal.throwIfAborted();
    // Splits at line feeds only: values may contain other Unicode line breaks.
    for (const line of Buffer.from(body).toString('utf8').split('\n')) if (line !== '') yield membersOf(line);
  }
}

/**
 * Writes a CSV. Rare fields follow the given columns; they are known only after a pass over all
 * rows, so if there are any the rows are read twice.
 */
async function writeCsv(path: string, names: readonly string[], rows: () => AsyncIterable<Row>): Promise<void> {
  const others = await writeColumns(path, names, rows());
  if (others.length > 0) await writeColumns(path, [...names, ...others], rows());
}

/** @returns names of fields without a column; if there are any, the file is incomplete */
async function writeColumns(
  path: string,
  names: readonly string[],
  rows: AsyncIterable<Row>,
): Promise<readonly string[]> {
  const known = new Set(names);
  const others = new Set<string>();
  const file = createWriteStream(path, { mode: 0o600 });
  // The error may arrive while a row is awaited.
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
