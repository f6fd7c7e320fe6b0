import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from '../io.js';
import { exportTo } from './collect.js';
import type { PagesOptions } from './pages.js';
import { outputSink } from './row-sink.js';
import type { ExportFormat, ExportState } from './state.js';
import { collectStream } from './stream.js';

/**
 * Writes a result to standard output: NDJSON as it arrives. The columns of other formats are known
 * at the end, so these are collected in a temporary directory first, as are pages of other servers.
 * @returns the number of rows
 * @throws AnswerError, ConnectionError, Failure
 */
export async function exportToOutput(
  format: ExportFormat,
  begin: ExportState,
  options: Omit<PagesOptions, 'output'>,
  out: Output,
): Promise<number> {
  if (format === 'ndjson') {
    const streamed = await collectStream(begin, { ...options, output: '-' }, outputSink(out));
    if (streamed !== undefined) return streamed.rows;
  }
  const directory = await mkdtemp(join(tmpdir(), 'millrace-export-'));
  try {
    const output = join(directory, `rows.${format}`);
    const rows = await exportTo(format, begin, { ...options, output });
    for await (const piece of createReadStream(output)) await out.write(piece as Uint8Array);
    return rows;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
