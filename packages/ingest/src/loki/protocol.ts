import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { bytes, empty } from '@millrace/http/route';
import { unsnappy } from '../bytes/snappy.js';
import { EventLines } from '../event-lines.js';
import type { BodyFormat } from '../formats/format.js';
import type { EventsEndpoint, HandshakeEndpoint, Protocol, ShipperRequest } from '../protocol.js';
import { PartFilter } from '../part-filter.js';
import { datasetLabel } from './dataset-label.js';
import { readJsonPush, readProtobufPush } from './parse-push.js';

/**
 * Loki's push, in JSON or in protobuf packed with Snappy, as Promtail, Alloy, and the outputs of
 * other shippers send it.
 */

const text = 'text/plain; charset=utf-8';

const lokiErrors: ErrorFormat = {
  doc: 'Errors are plain text.',
  mediaType: text,
  say: ({ status, message }) => ({
    status,
    mediaType: text,
    content: `${message}\n`,
  }),
};

const isJson = (contentType = ''): boolean => mediaTypeOf(contentType) === 'application/json';

/** Growth of the body because each line repeats its labels. */
const expectedGrowth = 3;

const lokiFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  // Labels are sent once and become a part of every event.
  threadFrom: 16 * 1024,
  grows: true,
  encode(body, { contentType, part, limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const inJson = isJson(contentType);
    const push = inJson ? body : unsnappy(body, limits.maxDecompressedBytes);
    const lines = new EventLines(expectedGrowth * push.length, maxEventBytes, encodeOptions);
    const streams = new PartFilter(part);
    if (inJson) readJsonPush(push, streams, lines);
    else readProtobufPush(push, streams, lines);
    const encoded = lines.encode();
    return streams.others.size === 0 ? encoded : { ...encoded, others: [...streams.others] };
  },
};

const push = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  headers: ['x-scope-orgid'],
  read: (request) =>
    request.params['dataset'] === undefined
      ? { dataset: request.headers['x-scope-orgid'] ?? labelledDataset(request), several: true }
      : {},
  answer({ parts, status: { ingested, failed, failures } }) {
    const refused = parts.flatMap((part) => ('refused' in part ? [part.refused.message] : []));
    if (refused.length > 0) return bytes(`${refused.join('; ')}\n`, text, 400);
    // Some clients take any other success for a failure.
    if (ingested > 0 || failed === 0) return empty(204);
    return bytes(`${failures[0]?.error ?? 'no entry could be read'}\n`, text, 400);
  },
});

/** Maximum bytes to search for the first dataset label; pushes are about a megabyte. */
const maxLooked = 4 * 1024 * 1024;
const datasetLabelPattern = new RegExp(String.raw`"?${datasetLabel}"?\s*[=:]\s*"([^"\\]+)"`);

/**
 * The first dataset that a label names. A match inside a line is harmless: no stream belongs to it.
 */
function labelledDataset({ headers, body, beginning }: ShipperRequest): string | undefined {
  if (isJson(headers['content-type'])) return datasetLabelPattern.exec(beginning().toString())?.[1];
  try {
    return datasetLabelPattern.exec(Buffer.from(unsnappy(body, maxLooked)).toString('latin1'))?.[1];
  } catch {
    // Parsing reports the error later.
    return undefined;
  }
}

const buildInfo = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['GET'],
  path,
  open: true,
  answer: () => bytes('{"version":"3.0.0","branch":"millrace"}', 'application/json'),
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
  badToken: { status: 401 },
  errorForm: lokiErrors,
  format: lokiFormat,
  endpoints: [
    // Some clients append `/loki/api/v1/push` to the configured URL, some `/api/v1/push`, and some
    // nothing.
    ...[`${base}/loki/api/v1/push`, `${base}/api/v1/push`, '/loki/api/v1/push', '/api/prom/push'].map(push),
    ...[`${base}/ready`, '/ready'].map(ready),
    ...[`${base}/loki/api/v1/status/buildinfo`, '/loki/api/v1/status/buildinfo'].map(buildInfo),
  ],
};
