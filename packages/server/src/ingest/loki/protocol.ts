import type { EncodeOptions } from '@millrace/events';
import type { ErrorForm } from '../../http/error-form.js';
import { mediaTypeOf } from '../../http/media-type.js';
import { bytes, empty } from '../../http/route.js';
import { unsnappy } from '../bytes/snappy.js';
import { EventLines } from '../event-lines.js';
import type { BodyFormat } from '../formats/format.js';
import type { EventsEndpoint, HandshakeEndpoint, Protocol } from '../protocol.js';
import { readJsonPush, readProtobufPush } from './read-push.js';

/** Loki's push, in JSON or in protobuf packed with Snappy, as Promtail, Alloy, and the outputs of other shippers send it. */

const text = 'text/plain; charset=utf-8';

const lokiErrors: ErrorForm = {
  doc: 'Errors are plain text.',
  mediaType: text,
  say: ({ code, status, message }) => ({
    status: code === 'unauthenticated' ? 401 : status,
    mediaType: text,
    content: `${message}\n`,
  }),
};

/** What labels add to each line. */
const expectedGrowth = 3;

const lokiFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  // Labels are sent once and become a part of every event.
  threadFrom: 16 * 1024,
  grows: true,
  encode(body, { contentType, limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions: EncodeOptions) {
    const isJson = mediaTypeOf(contentType) === 'application/json';
    const push = isJson ? body : unsnappy(body, limits.maxDecompressedBytes);
    const lines = new EventLines(expectedGrowth * push.length, maxEventBytes, encodeOptions);
    if (isJson) readJsonPush(push, lines);
    else readProtobufPush(push, lines);
    return lines.encode();
  },
};

const push = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  headers: ['x-scope-orgid'],
  read: ({ headers }) => ({ dataset: headers['x-scope-orgid'] }),
  answer: ({ status: { ingested, failed, failures } }) =>
    // Some clients take any other success for a failure.
    ingested > 0 || failed === 0 ? empty(204) : bytes(`${failures[0]?.error ?? 'no entry could be read'}\n`, text, 400),
});

const ready = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['GET'],
  path,
  open: true,
  answer: () => bytes('ready\n', text),
});

const base = '/v1/ingest/{dataset}/loki';

export const loki: Protocol = {
  title: 'Loki',
  tokenIn: ['basic'],
  errorForm: lokiErrors,
  format: lokiFormat,
  endpoints: [
    // Some programs append `/loki/api/v1/push` to what they are given, some `/api/v1/push`, and some nothing.
    ...[`${base}/loki/api/v1/push`, `${base}/api/v1/push`, '/loki/api/v1/push', '/api/prom/push'].map(push),
    ...[`${base}/ready`, '/ready'].map(ready),
  ],
};
