import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { httpError } from '@millrace/api/errors';
import { bytes, empty } from '@millrace/http/route';
import { unsnappy } from '../bytes/snappy.js';
import type { BodyFormat } from '../formats/format.js';
import { encodeRows } from '../series/encode-rows.js';
import type { RowsBound } from '../series/row-writer.js';
import type { EventsEndpoint, Outcome, Protocol } from '../protocol.js';
import { readWrite, type WriteVersion } from './read-write.js';
import { WriteRows, type WrittenCounts } from './write-rows.js';

/** Prometheus remote write, versions 1 and 2: packed protobuf, into a dataset of metrics. */

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

const protobuf = 'application/x-protobuf';

/** Messages of `Content-Type`, in the parameter `proto`. */
const messages = {
  'prometheus.WriteRequest': 1,
  'io.prometheus.write.v2.Request': 2,
} as const satisfies Readonly<Record<string, WriteVersion>>;

function versionOf(contentType: string): WriteVersion | undefined {
  const [mediaType = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  // Some senders of version 1 leave out the type.
  if (mediaType !== '' && mediaType.toLowerCase() !== protobuf) return undefined;
  const proto = parameters
    .map((each) => /^proto\s*=\s*"?([\w.]+)"?$/i.exec(each)?.[1])
    .find((name) => name !== undefined);
  if (proto === undefined) return 1;
  return Object.hasOwn(messages, proto) ? messages[proto as keyof typeof messages] : undefined;
}

/** The form of a body that is packed with Snappy; others have a content encoding of HTTP. */
const snappyForm = 'snappy';

const remoteWriteFormat: BodyFormat = {
  mediaTypes: [protobuf, ...Object.keys(messages).map((name) => `${protobuf};proto=${name}`)],
  detects: (contentType) => versionOf(contentType) !== undefined,
  // Labels of known series are not decoded, so a body of this size takes two milliseconds.
  threadFrom: 64 * 1024,
  grows: true,
  describesSeries: true,
  encode(body, options, encodeOptions) {
    const { described, limits, maxEventBytes = limits.maxDecompressedBytes, contentType, form } = options;
    const request = form === snappyForm ? unsnappy(body, limits.maxDecompressedBytes) : body;
    const version = versionOf(contentType) ?? 1;
    const bound: RowsBound = {
      max: maxEventBytes,
      tooMany: () => httpError('events-too-large', { limit: maxEventBytes, what: 'samples' }),
      growing: encodeOptions.growing,
    };
    return encodeRows(bound, { ...encodeOptions, ...(described !== undefined && { described }) }, (rows, rejected) => {
      const writing = new WriteRows(
        rows,
        rejected.add,
        described === undefined ? undefined : 2 * described.id + version - 1,
      );
      readWrite(request, version, writing);
      return { items: Buffer.from(JSON.stringify(writing.writtenCounts)) };
    });
  },
};

/** How much was stored, as version 2 requires it. */
function writtenHeaders({ items, status: { ingested } }: Pick<Outcome, 'items' | 'status'>) {
  const none: WrittenCounts = { samples: 0, histograms: 0 };
  const written =
    items === undefined || ingested === 0 ? none : (JSON.parse(Buffer.from(items).toString()) as WrittenCounts);
  return {
    'x-prometheus-remote-write-samples-written': String(written.samples),
    'x-prometheus-remote-write-histograms-written': String(written.histograms),
    'x-prometheus-remote-write-exemplars-written': '0',
  };
}

const write = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  headers: ['x-axiom-metrics-dataset', 'x-axiom-dataset'],
  read({ headers }) {
    const encoding = headers['content-encoding'] ?? '';
    const isSnappy = encoding === '' || encoding.toLowerCase() === 'snappy';
    return {
      dataset: headers['x-axiom-metrics-dataset'] ?? headers['x-axiom-dataset'],
      // Snappy is no encoding of HTTP, but a part of the protocol.
      options: isSnappy ? { contentEncoding: 'identity', form: snappyForm } : { contentEncoding: encoding },
    };
  },
  answer(outcome) {
    const { ingested, failed, failures } = outcome.status;
    const headers = writtenHeaders(outcome);
    const isVersion2 = versionOf(outcome.request.headers['content-type'] ?? '') === 2;
    // Senders of version 2 read from the headers that some samples were stored.
    if (failed === 0 || (ingested > 0 && !isVersion2)) return empty(204, headers);
    return bytes(`${failures[0]?.error ?? 'no sample could be stored'}\n`, text, 400, headers);
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
  // The server accepts `/api/v1/…` as well. The last one is beside the API for queries.
  endpoints: [base, `${base}/api/v1/write`, '/v1/write', '/prometheus/{dataset}/api/v1/write'].map(write),
};
