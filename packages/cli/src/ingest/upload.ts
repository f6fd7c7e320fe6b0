import { inFlags } from '../connection/flag-hints.js';
import type { IngestStatus, RequestOf } from '@millrace/client';
import { AnswerError, type Client } from '../connection/client.js';
import { withRetries } from '../connection/retry.js';
import { Failure } from '../failure.js';
import { formats } from '@millrace/sources/files/format';
import { rebaseReason } from './rebase-offsets.js';
import type { OutgoingRequest } from '@millrace/sources/files/outgoing-events';

/** Sum of the responses to a load so far. */
export interface IngestSummary {
  ingested: number;
  failed: number;
  /** Bytes of the bodies, as sent. */
  bytes: number;
  requests: number;
  /** The first rejected events. */
  readonly failures: {
    readonly input: string;
    /** Offset of the request in the input. */
    readonly offset: number;
    /** With the position in the input. */
    readonly error: string;
  }[];
  /** Values dropped from stored events, each with its count over all requests. */
  readonly messages: DropMessage[];
}

type DropMessage = NonNullable<IngestStatus['messages']>[number];

export const emptyTally = (): IngestSummary => ({
  ingested: 0,
  failed: 0,
  bytes: 0,
  requests: 0,
  failures: [],
  messages: [],
});

export interface UploadOptions {
  readonly client: Client;
  readonly dataset: string;
  readonly query: NonNullable<RequestOf<'ingest'>['query']>;
  readonly headers: NonNullable<RequestOf<'ingest'>['headers']>;
  /** Whether the detected field of an input supplies the event time. */
  readonly usesTimeField: boolean;
  /** Concurrent requests. */
  readonly concurrency: number;
  readonly attempts: number;
  /** Prefix of the idempotency keys, which make retries store an event once. */
  readonly key: string;
  /** Splits a request that was too large. */
  readonly smaller: (request: OutgoingRequest) => AsyncIterable<OutgoingRequest>;
  /** Stops reading and sending when aborted. */
  readonly interrupted: AbortSignal;
  /** Called after each response and before each pause. */
  readonly progress: (tally: IngestSummary, waiting?: string) => void;
  /** Called before each pause after a failed request. */
  readonly pausing: (error: Error) => void;
}

const failuresKept = 20;
const messagesKept = 200;

/**
 * Sends requests concurrently and sums up the responses.
 * @throws the error of the first failed request, after those in flight have ended; the tally
 * contains what was stored
 */
export async function upload(
  requests: AsyncIterable<OutgoingRequest>,
  options: UploadOptions,
  tally: IngestSummary,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const load: Load = { ...options, tally, stop: stop.signal };
  let failure: unknown;
  let wake = (): void => undefined;
  let number = 0;
  const fail = (error: unknown): void => {
    failure ??= error;
    // The others finish their current request without retries.
    stop.abort();
    wake();
  };
  options.interrupted.addEventListener('abort', () => fail(new Failure('interrupted', 'interrupted')));
  const start = (request: OutgoingRequest): void => {
    const done: Promise<void> = send(request, `${options.key}-${number++}`, load)
      .catch(fail)
      .finally(() => running.delete(done));
    running.add(done);
  };
  const iterator = requests[Symbol.asyncIterator]();
  try {
    for (;;) {
      while (running.size >= options.concurrency) await Promise.race(running);
      // A failure ends this at once, even while the input is idle. (Racing against one promise for
      // the whole load would retain every request that ever won.)
      const got = await new Promise<IteratorResult<OutgoingRequest> | undefined>((resolve, reject) => {
        wake = () => resolve(undefined);
        if (failure === undefined) iterator.next().then(resolve, reject);
        else wake();
      });
      if (got === undefined || got.done === true) break;
      start(got.value);
    }
  } finally {
    // Not awaited: it may only end when the input does.
    void iterator.return?.();
    await Promise.all(running);
  }
  if (failure !== undefined) throw failure;
}

/** Context of the requests of a load. */
interface Load extends UploadOptions {
  readonly tally: IngestSummary;
  /** Stops retries when aborted. */
  readonly stop: AbortSignal;
}

async function send(request: OutgoingRequest, key: string, load: Load): Promise<void> {
  try {
    add(load.tally, request, await post(request, key, load));
    load.progress(load.tally);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    // Names the file, unless an option is at fault.
    if (error.status === 400 && error.exit !== 'usage')
      throw new Failure(error.exit, `${request.input}: ${error.message}`, { cause: error });
    if (error.status !== 413 || request.encoding === undefined) throw error;
    let number = 0;
    for await (const part of load.smaller(request)) {
      if (load.stop.aborted) return;
      await send(part, `${key}.${number++}`, load);
    }
  }
}

function post(
  { body, format, delimiter, columns, encoding, timeField }: OutgoingRequest,
  key: string,
  { client, dataset, query, headers, usesTimeField, attempts, progress, pausing, tally, stop }: Load,
): Promise<IngestStatus> {
  const request = {
    params: { dataset },
    query: {
      ...query,
      ...(delimiter !== undefined && { 'csv-delimiter': delimiter }),
      ...(usesTimeField && timeField !== undefined && { 'timestamp-field': timeField }),
    },
    body,
    headers: {
      ...headers,
      ...(columns !== undefined && { 'x-axiom-csv-fields': columns.join(',') }),
      'content-type': formats[format].mediaType,
      'idempotency-key': key,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  };
  return withRetries(() => client.call('ingest', request), {
    attempts,
    signal: stop,
    pausing: (error) => {
      progress(tally, error.message);
      pausing(error);
    },
  });
}

function add(tally: IngestSummary, request: OutgoingRequest, status: IngestStatus): void {
  const { input, offset, body } = request;
  const { ingested, failed, failures = [], messages = [] } = status;
  tally.ingested += ingested;
  tally.failed += failed;
  tally.bytes += body.byteLength;
  tally.requests++;
  for (const { error } of failures.slice(0, failuresKept - tally.failures.length)) {
    tally.failures.push({ input, offset, error: rebaseReason(inFlags(error), request) });
  }
  for (const message of messages) addMessage(tally.messages, message);
}

function addMessage(known: DropMessage[], message: DropMessage): void {
  const at = known.findIndex(({ code, msg }) => code === message.code && msg === message.msg);
  const same = known[at];
  if (same !== undefined) known[at] = { ...same, count: same.count + message.count };
  else if (known.length < messagesKept) known.push(message);
}
