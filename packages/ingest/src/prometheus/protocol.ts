import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { httpError } from '@millrace/api/errors';
import { bytes, empty } from '@millrace/http/route';
import { JsonBytes } from '../bytes/json-bytes.js';
import { unsnappy } from '../bytes/snappy.js';
import type { BodyFormat } from '../formats/format.js';
import { encodeRows } from '../series/encode-rows.js';
import type { EventsEndpoint, Protocol } from '../protocol.js';
import { readWrite } from './read-write.js';

/** Prometheus remote write, version 1: protobuf packed with Snappy, into a dataset of metrics. */

const text = 'text/plain; charset=utf-8';

const plainErrors: ErrorFormat = {
  doc: 'Errors are plain text.',
  mediaType: text,
  say: ({ status, message }) => ({
    status,
    mediaType: text,
    content: `${message}\n`,
  }),
};

/** Growth from a request to rows. */
const expectedGrowth = 3;
const version1 = 'application/x-protobuf';

const remoteWriteFormat: BodyFormat = {
  mediaTypes: [version1],
  detects: (contentType) => !/proto\s*=\s*io\.prometheus\.write\.v2/i.test(contentType),
  threadFrom: 16 * 1024,
  grows: true,
  describesSeries: true,
  encode(body, { described, limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const request = unsnappy(body, limits.maxDecompressedBytes);
    const tooLarge = (): Error => httpError('events-too-large', { limit: maxEventBytes, what: 'samples' });
    const lines = new JsonBytes(expectedGrowth * request.length, maxEventBytes, tooLarge, encodeOptions.growing);
    const options = { ...encodeOptions, ...(described !== undefined && { described }) };
    return encodeRows(lines, options, (rows, rejected) => readWrite(request, rows, rejected.add));
  },
};

const write = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  headers: ['x-axiom-metrics-dataset', 'x-axiom-dataset'],
  read: ({ headers }) => ({
    dataset: headers['x-axiom-metrics-dataset'] ?? headers['x-axiom-dataset'],
    // The encoding that clients name is a part of the protocol.
    options: { contentEncoding: 'identity' },
  }),
  answer({ status: { ingested, failed, failures } }) {
    if (ingested > 0 || failed === 0) return empty(204);
    return bytes(`${failures[0]?.error ?? 'no sample could be stored'}\n`, text, 400);
  },
});

const base = '/v1/ingest/{dataset}/prometheus';

export const prometheus: Protocol = {
  title: 'Prometheus remote write',
  tokenIn: ['basic'],
  badToken: { status: 401 },
  kind: 'otel:metrics:v1',
  errorForm: plainErrors,
  format: remoteWriteFormat,
  // The server accepts `/api/v1/…` as well.
  endpoints: [base, `${base}/api/v1/write`, '/v1/write'].map(write),
};
