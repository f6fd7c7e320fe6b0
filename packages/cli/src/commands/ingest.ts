import { randomUUID } from 'node:crypto';
import { humanBytes } from '@millrace/server/units';
import { command } from '../command/command.js';
import { ConnectionError } from '../connection/client.js';
import { retryNotice } from '../connection/retry-notice.js';
import type { Exit } from '../exit-codes.js';
import { Failure, usage } from '../failure.js';
import { messageOf } from '../system-errors.js';
import { inputOf, type Outgoing, outgoing, type SourceOptions, unpackedAfterAll } from '../ingest/source.js';
import { Progress } from '../ingest/progress.js';
import { emptyTally, type Tally, upload } from '../ingest/upload.js';
import { type Io, styled } from '../io.js';
import { writeMessages } from '../render/messages.js';
import { counted, durationText, several } from '../render/quantity.js';
import { printable } from '../render/width.js';

const MiB = 1024 * 1024;
const failuresShown = 5;
/** Events that another program writes to standard input are sent within this time. */
const liveMilliseconds = 1000;

export const ingest = command({
  name: 'ingest',
  summary: 'Send events from files or standard input to a dataset.',
  description:
    'Takes JSON (arrays, objects one after the other), NDJSON whose events may also span lines, and CSV, plain or compressed with gzip or zstd; format, ' +
    'compression and the delimiter of a CSV are detected if not given. Input of any size is split into requests, between events; several requests ' +
    'are under way at once. If the server is busy, the command waits for it. Each request has an idempotency key, so that one ' +
    'that is sent again is stored once. Events that the server refuses are counted, the first reasons are shown, and the exit ' +
    'code is 1; all others are stored. Values that the server leaves out of events it stores, such as those a locked schema does not allow, are warned of.',
  remote: true,
  args: { dataset: { doc: 'Dataset the events go to.' } },
  options: {
    file: { type: 'list', short: 'f', metavar: 'FILE', doc: 'File to send; - or none is standard input.' },
    type: { type: 'choice', short: 't', choices: ['json', 'ndjson', 'csv'], doc: 'Format of the input.' },
    encoding: {
      type: 'choice',
      short: 'e',
      choices: ['gzip', 'zstd', 'none'],
      doc: 'Compression of the input.',
    },
    label: { type: 'list', short: 'l', metavar: 'NAME=VALUE', doc: 'Field to add to every event.' },
    timestampField: { type: 'text', metavar: 'FIELD', doc: 'Field of the events that holds their time.' },
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
    requestSize: {
      type: 'size',
      min: 1024,
      max: 64 * MiB,
      default: 4 * MiB,
      doc: 'Largest request; a single larger event is sent alone.',
    },
    concurrency: { type: 'integer', min: 1, max: 64, default: 4, doc: 'Requests under way at once.' },
    attempts: { type: 'integer', min: 1, max: 100, default: 10, doc: 'Most attempts for each request.' },
    idempotencyKey: {
      type: 'text',
      metavar: 'TEXT',
      doc:
        'Names this load. The same load run again under the same name, with the same files and options, sends what is ' +
        'missing; what was stored is not stored twice, as long as the server remembers keys.',
    },
    json: { type: 'flag', doc: 'Write the result as JSON.' },
  },
  examples: [
    { command: 'millrace ingest logs -f events.ndjson', doc: 'A file' },
    { command: 'millrace ingest logs -f monday.csv.gz -f tuesday.csv.gz -l site=berlin', doc: 'Several, labelled' },
    {
      command: 'journalctl -o json -f | millrace ingest logs -t ndjson',
      doc: 'What another program writes, as it writes it',
    },
  ],
  run: async ({ io, args, options, connect }) => {
    const client = connect();
    const paths = options.file.length === 0 ? ['-'] : options.file;
    if (paths.includes('-') && io.input.terminal) throw usage('nothing to send: give --file, or pipe events in');
    // A load with a key has to make the same requests again, however its bytes arrive.
    const live = paths.every((path) => path === '-') && options.idempotencyKey === undefined;
    const key = options.idempotencyKey ?? randomUUID();
    const source: SourceOptions = {
      format: options.type,
      encoding: options.encoding,
      maxBytes: options.requestSize,
      delimiter: options.csvDelimiter,
      header: options.csvFields === undefined,
      guessing: (msg) => void writeMessages(io.err, [{ priority: 'warn', msg }]),
      ...(live && { maxWait: liveMilliseconds }),
    };
    const tally = emptyTally();
    const progress = new Progress(io.err);
    const notice = retryNotice(io.err);
    const started = performance.now();
    const loading = upload(
      allOf(paths, io, source),
      {
        client,
        dataset: args.dataset,
        query: {
          ...(options.timestampField !== undefined && { 'timestamp-field': options.timestampField }),
          ...(options.timestampFormat !== undefined && { 'timestamp-format': options.timestampFormat }),
        },
        headers: {
          ...(options.csvFields !== undefined && { 'x-axiom-csv-fields': headerText(options.csvFields) }),
          ...labelHeader(options.label),
        },
        concurrency: options.concurrency,
        attempts: options.attempts,
        key: headerText(key),
        interrupted: io.interruption(),
        smaller: (request) => unpackedAfterAll(request, source),
        // In a terminal the progress shows it. A server that is busy is no news elsewhere.
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

async function* allOf(paths: readonly string[], io: Io, source: SourceOptions): AsyncGenerator<Outgoing> {
  for (const path of paths) yield* outgoing(inputOf(path, io), source);
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

/** Headers carry ASCII. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\u0020-\u007E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** UTF-8 as a text of one-byte characters, as headers have. */
const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function progressText(tally: Tally, milliseconds: number, waiting: string | undefined): string {
  const speed = milliseconds === 0 ? 0 : (tally.bytes / milliseconds) * 1000;
  const parts = [several(tally.ingested, 'event'), humanBytes(tally.bytes), `${humanBytes(Math.round(speed))}/s`];
  if (tally.failed > 0) parts.push(`${counted(tally.failed)} refused`);
  if (waiting !== undefined) parts.push(`waiting: ${printable(waiting)}`);
  return parts.join(' · ');
}

/**
 * The failure, with what was stored before it, and how to send the rest if the load can be
 * repeated.
 */
function withStored(error: unknown, tally: Tally, key: string | undefined): unknown {
  if (!(error instanceof Failure) || tally.ingested === 0) return error;
  const advice =
    key === undefined
      ? ''
      : `; where the server remembers keys, the same call with --idempotency-key ${key} sends only the rest`;
  const stored = `${several(tally.ingested, 'event')} had been stored before${advice}`;
  return new Failure(error.exit, `${messageOf(error)}\n${stored}`, { cause: error });
}

async function report(io: Io, dataset: string, tally: Tally, milliseconds: number, json: boolean): Promise<Exit> {
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
    `${several(ingested, 'event')} stored in ${dataset}: ${humanBytes(bytes)} in ${durationText(milliseconds)}, ${speed}/s\n`,
  );
  await tellOfEvents(io.err, tally);
  return exit;
}

/** What the server left out of events, and which ones it refused. */
async function tellOfEvents(err: Io['err'], { failed, failures, messages }: Tally): Promise<void> {
  await writeMessages(
    err,
    messages.map(({ priority, msg, count }) => ({ priority, msg: `${msg}: ${several(count, 'value')}` })),
  );
  if (failed === 0) return;
  const lines = failures
    .slice(0, failuresShown)
    .map(({ input, error }) => `  ${printable(input)}: ${printable(error)}`);
  await err.write(
    `${styled(err, 'red', `${several(failed, 'event')} refused`)}; the first reasons:\n${lines.join('\n')}\n`,
  );
}
