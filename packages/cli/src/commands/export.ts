import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { command } from '../command/command.js';
import type { Client } from '../connection/client.js';
import { retryNotice } from '../connection/retry-notice.js';
import type { Exit } from '../exit-codes.js';
import { withOutputLock } from '../export/output-lock.js';
import { type ExportFormat, exportFormats, type ExportState, partOf, readState, removeParts } from '../export/state.js';
import { Failure, usage } from '../failure.js';
import { isSystemError, messageOf } from '../system-errors.js';
import { Progress } from '../ingest/progress.js';
import type { Io } from '../io.js';
import { queryOptions, queryText, showPlace } from '../query/text.js';
import { writeMessages } from '../render/messages.js';
import { formatCount, durationText, pluralize } from '../render/quantity.js';

export const exportCommand = command({
  name: 'export',
  summary: 'Export a query result of any size to a file.',
  description:
    'The limits on single queries do not apply. Events are collected in FILE.part, as a stream from a Millrace server, page by page from others; if that is ' +
    'interrupted, the same command with --resume continues where it was. The file appears when it is complete. Parquet keeps integers, floats, booleans and ' +
    'times as such; columns of several types, arrays and objects become text. In CSV the columns of most rare fields come last. A Millrace server makes Parquet files itself, with rare fields in the column ' +
    '_rest, and also the CSV of queries that aggregate, have a limit or sort by anything but the time; if such a download breaks off, it begins again. Other ' +
    'servers are asked such a query once and give at most 50,000 rows.',
  remote: true,
  args: { apl: { optional: true, doc: 'The query; - or none reads it from standard input.' } },
  options: {
    output: { type: 'text', short: 'o', metavar: 'FILE', required: true, doc: 'File to write; - is standard output.' },
    format: {
      type: 'choice',
      choices: exportFormats,
      doc: 'File format. Default: from the file extension; ndjson for standard output.',
    },
    ...queryOptions,
    resume: { type: 'flag', doc: 'Resume an interrupted export.' },
    force: { type: 'flag', doc: 'Overwrite the file and any partial export.' },
    pageRows: { type: 'integer', min: 1, max: 50_000, default: 10_000, doc: 'Rows per page.' },
    attempts: { type: 'integer', min: 1, max: 100, default: 10, doc: 'Most attempts for each page.' },
    json: { type: 'flag', doc: 'Write the result as JSON.' },
  },
  examples: [
    { command: 'millrace export logs -o logs.parquet', doc: 'A whole dataset' },
    {
      command: "millrace export 'logs | where status >= 500 | project _time, path' --start now-7d -o errors.csv",
      doc: 'Some columns of some events',
    },
    { command: 'millrace export logs -o logs.parquet --resume', doc: 'After an interruption' },
    { command: 'millrace export logs -o - | zstd > logs.ndjson.zst', doc: 'Into another program' },
  ],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const apl = await queryText(args.apl, options.file, io);
    const { output } = options;
    if (output === '-') return intoOutput({ io, client, apl, options });
    const format = options.format ?? exportFormats.find((each) => output.toLowerCase().endsWith(`.${each}`));
    if (format === undefined) throw usage(`cannot infer the format from '${output}'; use --format`);
    const file = await fileOf(output);
    return withOutputLock(file, async (): Promise<Exit> => {
      const begin = await startState(file, { apl, start: options.start, end: options.end }, options);
      const progress = new Progress(io.err);
      const interrupted = io.interruption();
      const started = performance.now();
      try {
        // Lazy: most calls need neither APL nor Parquet.
        const { exportTo } = await import('../export/collect.js');
        const rows = await exportTo(format, begin, {
          client,
          output: file,
          pageRows: options.pageRows,
          attempts: options.attempts,
          signal: interrupted,
          pausing: retryNotice(io.err),
          progress: ({ rows, bytes }) => progress.show(() => `${pluralize(rows, 'row')} · ${humanBytes(bytes)}`),
          received: (bytes) => progress.show(() => humanBytes(bytes)),
          warn: (message) => writeMessages(io.err, [message]),
        });
        await progress.clear();
        const milliseconds = performance.now() - started;
        await io.out.write(
          options.json
            ? `${JSON.stringify({ output, format, rows, seconds: Math.round(milliseconds) / 1000 })}\n`
            : `${pluralize(rows, 'row')} in ${output}, ${durationText(milliseconds)}\n`,
        );
        return 'done';
      } catch (error) {
        await progress.clear();
        const shown = interrupted.aborted ? new Failure('interrupted', 'interrupted') : explain(error, output, apl, io);
        const kept = await readState(file).catch(() => 'unreadable' as const);
        // Without its state a partial file cannot be resumed. A file with unreadable state is not
        // deleted.
        if (kept === undefined) await removeParts(file);
        if (!(shown instanceof Failure) || kept === undefined || kept === 'unreadable') throw shown;
        throw new Failure(
          shown.exit,
          `${shown.message}\n${formatCount(kept.rows)} rows are kept in ${partOf(file)}; run it again with --resume`,
          { cause: error },
        );
      }
    });
  },
});

/** Results go to standard output, so messages about them go to standard error. */
async function intoOutput({
  io,
  client,
  apl,
  options,
}: {
  readonly io: Io;
  readonly client: Client;
  readonly apl: string;
  readonly options: {
    readonly start: string | undefined;
    readonly end: string | undefined;
    readonly format: ExportFormat | undefined;
    readonly resume: boolean;
    readonly json: boolean;
    readonly pageRows: number;
    readonly attempts: number;
  };
}): Promise<Exit> {
  const { format = 'ndjson', resume, json, pageRows, attempts } = options;
  if (resume) throw usage('--resume needs a file: what went to standard output is not kept');
  if (format === 'parquet' && io.out.terminal) throw usage('Parquet is not text; use a file or a pipe');
  const signal = io.interruption();
  const started = performance.now();
  try {
    const { exportToOutput } = await import('../export/standard-output.js');
    const rows = await exportToOutput(
      format,
      freshState({ apl, start: options.start, end: options.end }),
      {
        client,
        pageRows,
        attempts,
        signal,
        pausing: retryNotice(io.err),
        progress: () => undefined,
        received: () => undefined,
        warn: (message) => writeMessages(io.err, [message]),
      },
      io.out,
    );
    const milliseconds = performance.now() - started;
    if (json)
      await io.err.write(
        `${JSON.stringify({ output: '-', format, rows, seconds: Math.round(milliseconds) / 1000 })}\n`,
      );
    return 'done';
  } catch (error) {
    throw signal.aborted ? new Failure('interrupted', 'interrupted') : showPlace(error, apl, io);
  }
}

const freshState = ({ apl, start, end }: ExportQuery): ExportState => ({
  format: 1,
  apl,
  start: start ?? null,
  end: end ?? null,
  began: Date.now(),
  bytes: 0,
  rows: 0,
  cursor: null,
});

const explain = (error: unknown, output: string, apl: string, io: Io): unknown =>
  isSystemError(error) ? unwritable(output, error) : showPlace(error, apl, io);

const unwritable = (output: string, error: unknown): Failure =>
  new Failure('failed', `${output} cannot be written: ${messageOf(error)}`, { cause: error });

interface ExportQuery {
  readonly apl: string;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/**
 * Resolves links: the partial file lies next to the target, and the target is replaced, not the
 * link.
 * @throws Failure `usage` if the path is not a regular file
 */
async function fileOf(output: string): Promise<string> {
  const found = await lstat(output).catch(() => undefined);
  if (found === undefined) return output;
  const there = await stat(output).catch(() => undefined);
  if (there === undefined) throw usage(`${output} is a link to a missing file; name a file`);
  if (there.isDirectory()) throw usage(`${output} is a directory; name a file`);
  if (!there.isFile()) throw usage(`${output} is no regular file, which an export writes; name a file`);
  return found.isSymbolicLink() ? realpath(output) : output;
}

/** @throws Failure `usage` if a file would be overwritten without --force */
async function startState(
  output: string,
  wanted: ExportQuery,
  { resume, force }: { readonly resume: boolean; readonly force: boolean },
): Promise<ExportState> {
  const fresh = freshState(wanted);
  const { apl, start, end } = fresh;
  await access(dirname(output), constants.W_OK).catch((error: unknown) => {
    throw unwritable(output, error);
  });
  const there = await stat(output).catch(() => undefined);
  if (there !== undefined && !force) throw usage(`${output} is there already; say --force to replace it`);
  // The state of an earlier export does not match the new partial file.
  if (force) await removeParts(output);
  const kept = await readState(output);
  if (kept === undefined) return fresh;
  if (!resume) throw usage(`an export to ${output} was interrupted; say --resume to go on, or --force to begin again`);
  if (kept.apl !== apl || kept.start !== start || kept.end !== end) {
    throw usage(`the partial export in ${output} is from another query; use --force to restart`);
  }
  const { size } = await stat(partOf(output)).catch(() => ({ size: 0 }));
  if (size < kept.bytes)
    throw new Failure(
      'failed',
      `${partOf(output)} has ${size} of the ${kept.bytes} bytes that were kept; say --force to begin again`,
    );
  return kept;
}
