import { encodeJson, type EncodeOptions } from '@millrace/events';
import { httpError } from '../../errors.js';
import type { ErrorForm } from '../../http/error-form.js';
import { bytes, empty, json } from '../../http/route.js';
import { EventLines } from '../event-lines.js';
import { type BodyFormat, type FormatResult, usualThreadFrom } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import { readBatch } from './read-batch.js';

/** Events of Honeycomb's libraries, in JSON: one, or a batch whose answer has a status for each. */

const honeycombErrors: ErrorForm = {
  doc: 'Errors are `{"error"}`.',
  mediaType: 'application/json',
  say: ({ code, status, message }) => ({
    status: code === 'unauthenticated' ? 401 : status,
    mediaType: 'application/json',
    content: JSON.stringify({ error: message }),
  }),
};

/** Every event that failed is answered with its reason. */
const mostFailures = 100_000;

const honeycombFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: usualThreadFrom,
  encode(body, { form, limits, contentType }, encodeOptions) {
    if (contentType.includes('msgpack'))
      throw httpError('unsupported-content-type', { type: contentType, supported: 'application/json' });
    if (form === 'event') return encodeJson(body, encodeOptions);
    return encodeBatch(body, limits.maxDecompressedBytes, encodeOptions);
  },
};

function encodeBatch(body: Uint8Array, most: number, options: EncodeOptions): FormatResult {
  const every = { ...options, limits: { ...options.limits, maxFailures: mostFailures } };
  const lines = new EventLines(1.1 * body.length, most, every);
  const problems = readBatch(body, lines);
  if (problems === undefined) throw httpError('invalid-events', { problem: 'the body is not a list of events' });
  // The health check of one shipper sends an empty batch, and takes only this for a good answer.
  if (problems.length === 0) throw httpError('invalid-events', { problem: 'the batch is empty' });
  const encoded = lines.encode();
  const sent = problems.filter((problem) => problem === undefined).length;
  // The encoder gives up when nothing but failures comes.
  if (encoded.failed > encoded.failures.length || encoded.ingested + encoded.failed < sent)
    throw httpError('too-many-failures', { limit: mostFailures });
  const reasons = new Map(encoded.failures.map(({ index, error }) => [index, error]));
  let written = 0;
  const items = problems.map((problem) => {
    const error = problem ?? reasons.get(written++);
    return error === undefined ? { status: 202 } : { status: 400, error };
  });
  const failed = items.filter(({ status }) => status === 400).length;
  return { ...encoded, failed, items: Buffer.from(JSON.stringify(items)) };
}

export const honeycomb: Protocol = {
  title: 'Honeycomb',
  tokenIn: ['honeycomb'],
  errorForm: honeycombErrors,
  format: honeycombFormat,
  endpoints: [
    {
      kind: 'events',
      methods: ['POST'],
      path: '/1/batch/{dataset}',
      read: () => ({ options: { form: 'batch' } }),
      answer: ({ items }) => bytes(items ?? '[]', 'application/json'),
    },
    {
      kind: 'events',
      methods: ['POST'],
      path: '/1/events/{dataset}',
      headers: ['x-honeycomb-event-time', 'x-honeycomb-samplerate'],
      read: ({ headers }) => ({
        options: { form: 'event' },
        labels: { _time: headers['x-honeycomb-event-time'], sampleRate: headers['x-honeycomb-samplerate'] },
      }),
      answer: ({ status: { ingested, failures } }) =>
        ingested > 0 ? empty(200) : json({ error: failures[0]?.error ?? 'there is no event' }, 400),
    },
    {
      kind: 'handshake',
      methods: ['GET'],
      path: '/1/auth',
      answer: () => json({ team: { slug: 'millrace' }, environment: { slug: '' }, api_key_access: { events: true } }),
    },
  ],
};
