import { randomUUID } from 'node:crypto';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { command } from '../command/command.js';
import { ConnectionError } from '../connection/client.js';
import { retryNotice } from '../connection/retry-notice.js';
import type { Exit } from '../exit-codes.js';
import { Failure, isFailure, usage } from '../failure.js';
import { follow } from '../follow/follow.js';
import { messageOf } from '../system-errors.js';
import { createIfMissing, hasTimeField } from '../ingest/target-dataset.js';
import {
  type OutgoingRequest,
  outgoingEvents,
  type SourceOptions,
  unpackedAfterAll,
} from '@millrace/sources/files/outgoing-events';
import { inputOf } from '../ingest/input.js';
import { Progress } from '../ingest/progress.js';
import { emptyTally, type IngestSummary, upload } from '../ingest/upload.js';
import { type Io, styleText } from '../io.js';
import { writeMessages } from '../render/messages.js';
import { formatCount, durationText, pluralize } from '../render/quantity.js';
import { escapeControls } from '../render/width.js';

const MiB = 1024 * 1024;
const failuresShown = 5;
/** Maximum delay before events from standard input are sent. */
const liveMilliseconds = 1000;

export const ingest = command({
  name: 'ingest',
  summary: 'Ingest events from files or standard input.',
  description:
    'Reads JSON (an array or consecutive objects), NDJSON and CSV, plain or compressed with gzip or zstd; format, compression and the delimiter ' +
    'of a CSV are detected if not given. Input of any size is split between events into concurrent requests. If the server is busy, the command waits. ' +
    'Each request has an idempotency key: a retry is stored once. Rejected events are counted, the first reasons are shown, and the exit ' +
    'code is 1; all others are stored. The command warns of values that the server drops, such as fields outside a locked schema.',
  remote: true,
  args: { dataset: { doc: 'Target dataset.' } },
  options: {
    file: { type: 'list', short: 'f', metavar: 'FILE', doc: 'File to send; - or none is standard input.' },
    follow: {
      type: 'text',
      metavar: 'DIR',
      doc: 'Send the lines of the files in this directory as they are written, each once, also after restarts and rotation.',
    },
    state: {
      type: 'text',
      metavar: 'FILE',
      doc: 'State of --follow: what has been sent. Default: .millrace-follow-DATASET.json in the directory.',
    },
    type: { type: 'choice', short: 't', choices: ['json', 'ndjson', 'csv'], doc: 'Format of the input.' },
    encoding: {
      type: 'choice',
      short: 'e',
      choices: ['gzip', 'zstd', 'none'],
      doc: 'Compression of the input.',
    },
    label: { type: 'list', short: 'l', metavar: 'NAME=VALUE', doc: 'Field to add to every event.' },
    timestampField: {
      type: 'text',
      metavar: 'FIELD',
      doc: 'Field that contains the event time; auto finds it. Default: _time.',
    },
    timestampFormat: {
      type: 'text',
      metavar: 'LAYOUT',
      doc: 'How that time is written, as a Go layout: 2/Jan/2006:15:04:05 -0700. Default: detected.',
    },
    csvDelimiter: {
      type: 'text',
      metavar: 'TEXT',
      doc:
        'What separates the cells of a CSV; \\t for tab. Default: whichever of comma, ;, tab and | stands between the names in ' +
        'the first row; a comma with --csv-fields.',
    },
    csvFields: {
      type: 'text',
      metavar: 'NAMES',
      doc: 'Names of the columns of a CSV whose first row is data.',
    },
    noHeader: {
      type: 'flag',
      doc: 'The first row of a CSV is data; its columns are called column_1, column_2, and so on.',
    },
    expand: {
      type: 'text',
      metavar: 'NAME',
      doc:
        'Store each element of this array as an event, such as records of Azure or Records of CloudTrail. ' +
        'Members of the object before the array are added to its events.',
    },
    requestSize: {
      type: 'size',
      min: 1024,
      max: 64 * MiB,
      default: 4 * MiB,
      doc: 'Maximum request size; a larger event is sent alone.',
    },
    concurrency: { type: 'integer', min: 1, max: 64, default: 4, doc: 'Concurrent requests.' },
    attempts: { type: 'integer', min: 1, max: 100, default: 10, doc: 'Maximum attempts per request.' },
    idempotencyKey: {
      type: 'text',
      metavar: 'TEXT',
      doc:
        'Name of this load. Running it again with the same name, files and options sends only the missing events, ' +
        'as long as the server remembers the idempotency keys.',
    },
    create: {
      type: 'flag',
      doc: 'Create the dataset if it is missing. In a terminal the command prompts for it.',
    },
    json: { type: 'flag', doc: 'Write the result as JSON.' },
  },
  examples: [
    { command: 'millrace ingest logs -f events.ndjson', doc: 'A file' },
    { command: 'millrace ingest logs -f monday.csv.gz -f tuesday.csv.gz -l site=berlin', doc: 'Several, labeled' },
    {
      command: 'millrace ingest logs -f events.csv --timestamp-field auto',
      doc: 'Use the field with the event time, such as timestamp',
    },
    {
      command: 'millrace ingest audit -f trail.json.gz --expand Records --timestamp-field auto',
      doc: 'Events in an array, as AWS CloudTrail writes them',
    },
    { command: 'millrace ingest logs --follow /var/log/app', doc: 'Log files of a directory, as they grow' },
    {
      command: 'journalctl -o json -f | millrace ingest logs -t ndjson',
      doc: 'Stream from another program',
    },
  ],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    assertNoContradiction(options);
    if (options.follow !== undefined) {
      const { follow: directory, state, timestampField, timestampFormat, label, requestSize } = options;
      return follow(io, client, {
        directory,
        state,
        dataset: args.dataset,
        requestBytes: requestSize,
        query: {
          ...(timestampField !== undefined && { 'timestamp-field': timestampField }),
          ...(timestampFormat !== undefined && { 'timestamp-format': timestampFormat }),
        },
        headers: (name) => labelHeader([`file=${name}`, ...label]),
      });
    }
    const paths = options.file.length === 0 ? ['-'] : options.file;
    if (paths.includes('-') && io.input.terminal) throw usage('no input: use --file or pipe events to standard input');
    // A load with a key must repeat the same requests, independent of how its bytes arrive.
    const live = paths.every((path) => path === '-') && options.idempotencyKey === undefined;
    const key = options.idempotencyKey ?? randomUUID();
    const usesTimeField = options.timestampField === 'auto';
    const source: SourceOptions = {
      format: options.type,
      encoding: options.encoding,
      maxBytes: options.requestSize,
      delimiter: options.csvDelimiter,
      names: options.noHeader ? 'none' : options.csvFields === undefined ? 'header' : 'option',
      expand: options.expand,
      findsTime: options.timestampField === undefined || usesTimeField,
      guessing: (msg) => void writeMessages(io.err, [{ priority: 'warn', msg }]),
      ...(live && { maxWait: liveMilliseconds }),
    };
    // Events on standard input leave no place for a reply.
    const prompts = io.input.terminal && io.err.terminal;
    await createIfMissing(client, args.dataset, { io, create: options.create, prompts });
    const tally = emptyTally();
    const progress = new Progress(io.err);
    const notice = retryNotice(io.err);
    const started = performance.now();
    const loading = upload(
      offeringTime(
        allOf(paths, io, source),
        { usesTimeField, hasTimeField: () => hasTimeField(client, args.dataset) },
        source.guessing,
      ),
      {
        client,
        dataset: args.dataset,
        query: {
          ...(options.timestampField !== undefined && !usesTimeField && { 'timestamp-field': options.timestampField }),
          ...(options.timestampFormat !== undefined && { 'timestamp-format': options.timestampFormat }),
        },
        headers: {
          ...(options.csvFields !== undefined && { 'x-axiom-csv-fields': headerText(options.csvFields) }),
          ...labelHeader(options.label),
        },
        usesTimeField,
        concurrency: options.concurrency,
        attempts: options.attempts,
        key: headerText(key),
        interrupted: io.interruption(),
        smaller: (request) => unpackedAfterAll(request, source),
        // A terminal shows it in the progress; otherwise a busy server is not worth a line.
        pausing: (error) => {
          if (!io.err.terminal && error instanceof ConnectionError) notice(error);
        },
        progress: (so, waiting) => progress.show(() => progressText(so, performance.now() - started, waiting)),
      },
      tally,
    );
    try {
      await loading;
    } catch (error) {
      await progress.clear();
      if (!options.json) await tellOfEvents(io.err, tally);
      throw withStored(error, tally, live ? undefined : key);
    }
    await progress.clear();
    return report(io, args.dataset, tally, performance.now() - started, options.json);
  },
});

/** @throws Failure `usage` */
function assertNoContradiction(options: {
  readonly noHeader: boolean;
  readonly csvFields: string | undefined;
  readonly expand: string | undefined;
  readonly type: string | undefined;
  readonly follow: string | undefined;
  readonly state: string | undefined;
  readonly file: readonly string[];
  readonly timestampField: string | undefined;
}): void {
  if (options.state !== undefined && options.follow === undefined) throw usage('--state needs --follow');
  if (options.follow !== undefined) {
    if (options.timestampField === 'auto') throw usage('--follow needs the name of the field in --timestamp-field');
    const { file, expand, type, noHeader, csvFields } = options;
    if (file.length > 0 || expand !== undefined || type !== undefined || noHeader || csvFields !== undefined)
      throw usage('--follow sends lines; it excludes --file, --type, --expand and options of CSV');
  }
  if (options.noHeader && options.csvFields !== undefined)
    throw usage('--no-header and --csv-fields exclude each other: --csv-fields names the columns');
  const isCsv = options.type === 'csv' || options.noHeader || options.csvFields !== undefined;
  if (options.expand !== undefined && isCsv) throw usage('--expand needs JSON; the options say that the input is CSV');
}

async function* allOf(paths: readonly string[], io: Io, source: SourceOptions): AsyncGenerator<OutgoingRequest> {
  for (const path of paths) yield* outgoingEvents(inputOf(path, io), source);
}

/** Says once per input which field has the event time, or that none was found. */
async function* offeringTime(
  requests: AsyncIterable<OutgoingRequest>,
  time: {
    readonly usesTimeField: boolean;
    /** Whether the dataset has a field for the time of events. */
    readonly hasTimeField: () => Promise<boolean>;
  },
  say: (message: string) => void,
): AsyncGenerator<OutgoingRequest> {
  let input: string | undefined;
  for await (const request of requests) {
    const { timeField } = request;
    const isOffered = request.input !== input && (timeField === undefined) === time.usesTimeField;
    if (isOffered && (time.usesTimeField || !(await time.hasTimeField())))
      say(
        timeField === undefined
          ? `${request.input}: no field with the event time found; events without _time get their arrival time`
          : `${request.input}: events get their arrival time; '${timeField}' seems to be the event time: --timestamp-field auto uses it`,
      );
    input = request.input;
    yield request;
  }
}

/** @throws Failure `usage` */
function labelHeader(labels: readonly string[]): { readonly 'x-axiom-event-labels'?: string } {
  if (labels.length === 0) return {};
  const pairs = labels.map((label) => {
    const at = label.indexOf('=');
    if (at <= 0) throw usage(`--label: expected NAME=VALUE, not '${label}'`);
    return [label.slice(0, at), label.slice(at + 1)] as const;
  });
  return { 'x-axiom-event-labels': asciiJson(Object.fromEntries(pairs)) };
}

/** Header-safe JSON: ASCII only. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\u0020-\u007E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** UTF-8 bytes as a Latin-1 string, as headers need. */
const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function progressText(tally: IngestSummary, milliseconds: number, waiting: string | undefined): string {
  const speed = milliseconds === 0 ? 0 : (tally.bytes / milliseconds) * 1000;
  const parts = [pluralize(tally.ingested, 'event'), humanBytes(tally.bytes), `${humanBytes(Math.round(speed))}/s`];
  if (tally.failed > 0) parts.push(`${formatCount(tally.failed)} refused`);
  if (waiting !== undefined) parts.push(`waiting: ${escapeControls(waiting)}`);
  return parts.join(' · ');
}

/** Adds to a failure what was stored before it and, for a repeatable load, how to resume. */
function withStored(error: unknown, tally: IngestSummary, key: string | undefined): unknown {
  if (!isFailure(error) || tally.ingested === 0) return error;
  const advice =
    key === undefined
      ? ''
      : `; where the server remembers keys, the same call with --idempotency-key ${key} sends only the rest`;
  const stored = `${pluralize(tally.ingested, 'event')} had been stored before${advice}`;
  return new Failure(error.exit, `${messageOf(error)}\n${stored}`, { cause: error });
}

async function report(
  io: Io,
  dataset: string,
  tally: IngestSummary,
  milliseconds: number,
  json: boolean,
): Promise<Exit> {
  const { ingested, failed, bytes, requests, failures, messages } = tally;
  const exit = failed === 0 ? 'done' : 'failed';
  if (json) {
    const seconds = Math.round(milliseconds) / 1000;
    const result = { dataset, ingested, failed, bytes, requests, seconds, failures, messages };
    await io.out.write(`${JSON.stringify(result)}\n`);
    return exit;
  }
  const speed = humanBytes(Math.round((bytes / Math.max(1, milliseconds)) * 1000));
  await io.out.write(
    `${pluralize(ingested, 'event')} stored in ${dataset}: ${humanBytes(bytes)} in ${durationText(milliseconds)}, ${speed}/s\n`,
  );
  await tellOfEvents(io.err, tally);
  return exit;
}

/** Reports values that the server dropped and events that it rejected. */
async function tellOfEvents(err: Io['err'], { failed, failures, messages }: IngestSummary): Promise<void> {
  await writeMessages(
    err,
    messages.map(({ priority, msg, count }) => ({ priority, msg: `${msg}: ${pluralize(count, 'value')}` })),
  );
  if (failed === 0) return;
  const lines = failures
    .slice(0, failuresShown)
    .map(({ input, error }) => `  ${escapeControls(input)}: ${escapeControls(error)}`);
  await err.write(
    `${styleText(err, 'red', `${pluralize(failed, 'event')} refused`)}; the first reasons:\n${lines.join('\n')}\n`,
  );
}
