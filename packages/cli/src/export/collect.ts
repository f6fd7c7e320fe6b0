import type { Client } from '../connection/client.js';
import type { RetryOptions } from '../connection/retry.js';
import { usage } from '../failure.js';
import { continuationOf } from './continuation.js';
import { downloadFile } from './download.js';
import { finish } from './finish.js';
import { collectPages, columnsOf, type PagesOptions } from './pages.js';
import type { ExportFormat, ExportState } from './state.js';
import { collectStream } from './stream.js';

/** Once the signal aborts, nothing more is asked for or written; what has come is kept. */
export interface CollectOptions extends Required<RetryOptions> {
  readonly client: Client;
  /** Path of the file. */
  readonly output: string;
  /** Called when rows have come. */
  readonly progress: (state: ExportState) => void;
  /** Called when bytes of a file made by the server have come. */
  readonly received: (bytes: number) => void;
}

/**
 * Writes a result to a file in the best way available. A server of this project streams rows as
 * NDJSON, from which a CSV is made as well, and makes Parquet and CSV files itself. Its CSV is used
 * only for results that no cursor continues, because its rare fields have no columns of their own.
 * Any server gives pages. An interrupted export is continued in the way it was begun.
 * @returns the number of rows in the file
 * @throws AnswerError, ConnectionError; Failure `usage` when an interrupted export cannot become
 * this format
 */
export async function exportTo(format: ExportFormat, begin: ExportState, options: PagesOptions): Promise<number> {
  const { output, signal } = options;
  const isNew = begin.bytes === 0;
  const wasStreamed = !isNew && begin.columns === undefined;
  const isContinued = continuationOf(begin.apl) !== undefined;
  if (wasStreamed && format === 'parquet')
    throw usage(
      `the export to ${output} that was interrupted was not of Parquet; say --format ndjson or --format csv, or --force to begin again`,
    );
  if ((format === 'ndjson' || (format === 'csv' && isContinued)) && (isNew || wasStreamed)) {
    const streamed = await collectStream(begin, options);
    if (streamed !== undefined)
      return finish(
        output,
        format,
        format === 'csv' ? { ...streamed, columns: await columnsOf(begin, options) } : streamed,
        signal,
      );
  }
  if (isNew && (format === 'parquet' || (format === 'csv' && !isContinued))) {
    const rows = await downloadFile(format, begin, options);
    if (rows !== undefined) return rows;
  }
  return finish(output, format, await collectPages(begin, options), signal);
}
