import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { once } from 'node:events';
import { membersOf } from '../answer/json-text.js';
import { split } from '../ingest/split.js';
import { csvHeader, csvLine } from '../render/rows.js';
import { writeParquet } from './parquet.js';
import { type ExportFormat, type ExportState, partOf, removeParts } from './state.js';

const readBytes = 1024 * 1024;

/** Makes the file that was asked for of the collected rows. It appears complete or not at all. */
export async function finish(output: string, format: ExportFormat, state: ExportState): Promise<void> {
  const made = format === 'ndjson' ? partOf(output) : `${output}.new`;
  if (format === 'csv') await writeCsv(made, output, state);
  if (format === 'parquet') await writeParquet(made, state.columns, rowsIn(output));
  const file = await open(made, 'r');
  await file.sync();
  await file.close();
  await rename(made, output);
  await removeParts(output);
}

/** The collected rows: column → JSON text. */
async function* rowsIn(output: string): AsyncGenerator<ReadonlyMap<string, string>> {
  const file = createReadStream(partOf(output)) as AsyncIterable<Buffer>;
  for await (const { body } of split(file, { format: 'ndjson', maxBytes: readBytes, delimiter: ',', header: false })) {
    // At line feeds only: what else Unicode calls a line end may be in a value.
    for (const line of Buffer.from(body).toString('utf8').split('\n')) if (line !== '') yield membersOf(line);
  }
}

async function writeCsv(path: string, output: string, { columns }: ExportState): Promise<void> {
  const names = Object.keys(columns);
  const file = createWriteStream(path, { mode: 0o600 });
  const write = async (text: string): Promise<void> => {
    if (!file.write(text)) await once(file, 'drain');
  };
  await write(csvHeader(names));
  for await (const row of rowsIn(output)) await write(csvLine(names.map((name) => row.get(name))));
  file.end();
  await once(file, 'finish');
}
