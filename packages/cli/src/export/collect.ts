import type { Client } from '../connection/client.js';
import type { RetryOptions } from '../connection/retry.js';
import { usage } from '../failure.js';
import { continuationOf } from './continuation.js';
import { downloadFile } from './download.js';
import { finish } from './finish.js';
import { collectPages, columnsOf, type PagesOptions } from './pages.js';
import type { ExportFormat, ExportState } from './state.js';
import { collectStream } from './stream.js';

/** When the signal aborts, requests and writes stop; received rows stay. */
export interface CollectOptions extends Required<RetryOptions> {
  readonly client: Client;
  /** Output path. */
  readonly output: string;
  /** Called when rows arrive. */
  readonly progress: (state: ExportState) => void;
  /** Called when bytes of a server-generated file arrive. */
  readonly received: (bytes: number) => void;
}

/**
 * Writes a result to a file by the best method the server supports. A Millrace server streams rows
 * as NDJSON, also for CSV, and generates Parquet and CSV. Its CSV serves only results that no
 * cursor continues, because rare fields have no columns there. Any server returns pages. A resumed
 * export keeps its method.
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
