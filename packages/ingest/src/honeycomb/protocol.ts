import { encodeJson } from '@millrace/events';
import { httpError } from '@millrace/api/errors';
import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { bytes, empty, json } from '@millrace/http/route';
import { EventLines } from '../event-lines.js';
import { type BodyFormat, type FormatResult, threadFromBytes } from '../formats/format.js';
import type { Endpoint, Protocol } from '../protocol.js';
import { type Problems, readBatch } from './parse-batch.js';
import { readPackedBatch, readPackedEvent } from './parse-message-pack.js';
import { ingestBounds } from '../ingest-limits.js';

/**
 * Events of Honeycomb's libraries, in JSON or MessagePack: single events, or batches whose response
 * has a status per event.
 */

const honeycombErrors: ErrorFormat = {
  doc: 'Errors are `{"error"}`.',
  mediaType: 'application/json',
  say: ({ status, message }) => ({
    status,
    mediaType: 'application/json',
    content: JSON.stringify({ error: message }),
  }),
};

const honeycombFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  // A byte of MessagePack can become six.
  grows: true,
  encode(body, { form, limits, contentType, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const isPacked = contentType.includes('msgpack');
    if (form === 'event' && !isPacked) return encodeJson(body, encodeOptions);
    const every = {
      ...encodeOptions,
      limits: { ...encodeOptions.limits, maxFailuresReported: ingestBounds.answeredFailures.max },
    };
    const lines = new EventLines(1.1 * body.length, maxEventBytes, every);
    const read = isPacked ? (form === 'event' ? readPackedEvent : readPackedBatch) : readBatch;
    return encodeProblems(read(body, lines), lines);
  },
};

function encodeProblems(problems: Problems | undefined, lines: EventLines): FormatResult {
  if (problems === undefined) throw httpError('invalid-events', { problem: 'the body is not a list of events' });
  // The health check of one shipper sends an empty batch, and expects this error.
  if (problems.length === 0) throw httpError('invalid-events', { problem: 'the batch is empty' });
  const result = lines.encode();
  const sent = problems.filter((problem) => problem === undefined).length;
  // The encoder stops after too many failures.
  if (result.failed > result.failures.length || result.ingested + result.failed < sent)
    throw httpError('too-many-failures', { limit: ingestBounds.answeredFailures.max });
  const reasons = new Map(result.failures.map(({ index, error }) => [index, error]));
  let written = 0;
  const items = problems.map((problem) => {
    const error = problem ?? reasons.get(written++);
    return error === undefined ? { status: 202 } : { status: 400, error };
  });
  const failed = items.filter(({ status }) => status === 400).length;
  return { ...result, failed, items: Buffer.from(JSON.stringify(items)) };
}

/** Parses a number in a header; other text is returned unchanged. */
const numberIn = (text: string | undefined): number | string | undefined =>
  text !== undefined && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

export const honeycomb: Protocol = {
  title: 'Honeycomb',
  tokenIn: ['honeycomb'],
  badToken: { status: 401 },
  errorForm: honeycombErrors,
  format: honeycombFormat,
  // The second form is that of Axiom's own proxy.
  endpoints: ['/1', '/honeycomb/v1'].flatMap((base): readonly Endpoint[] => [
    {
      kind: 'events',
      methods: ['POST'],
      path: `${base}/batch/{dataset}`,
      read: () => ({ options: { form: 'batch' } }),
      answer: ({ items }) => bytes(items ?? '[]', 'application/json'),
    },
    {
      kind: 'events',
      methods: ['POST'],
      path: `${base}/events/{dataset}`,
      headers: ['x-honeycomb-event-time', 'x-honeycomb-samplerate'],
      read: ({ headers }) => ({
        options: { form: 'event' },
        labels: { _time: headers['x-honeycomb-event-time'], sampleRate: numberIn(headers['x-honeycomb-samplerate']) },
      }),
      answer: ({ status: { ingested, failures } }) =>
        ingested > 0 ? empty(200) : json({ error: failures[0]?.error ?? 'there is no event' }, 400),
    },
    {
      kind: 'handshake',
      methods: ['GET'],
      path: `${base}/auth`,
      answer: () => json({ team: { slug: 'millrace' }, environment: { slug: '' }, api_key_access: { events: true } }),
    },
  ]),
};
