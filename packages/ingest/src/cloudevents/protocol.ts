import { createHash } from 'node:crypto';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { empty, json } from '@millrace/http/route';
import { JsonScan } from '../bytes/json-scan.js';
import { defaultErrors } from '../default-errors.js';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { EventsEndpoint, HandshakeEndpoint, Protocol, ShipperRequest } from '../protocol.js';
import { readCloudEvents, readData } from './parse-events.js';

/** CloudEvents over HTTP: in JSON, in batches, or with attributes as headers. */

/** Attributes of the specification, and of its documented extensions. */
const attributes = [
  'id',
  'source',
  'specversion',
  'type',
  'subject',
  'time',
  'dataschema',
  'dataref',
  'traceparent',
  'tracestate',
  'partitionkey',
  'sequence',
  'sequencetype',
  'sampledrate',
  'severitytext',
  'severitynumber',
  'recordedtime',
  'expirytime',
  'authtype',
  'authid',
] as const;
const headerOf = (attribute: string): string => `ce-${attribute}`;

const isBinary = ({ headers }: ShipperRequest): boolean =>
  headers['ce-id'] !== undefined && !mediaTypeOf(headers['content-type'] ?? '').startsWith('application/cloudevents');

/**
 * Identifies an event that is sent again. Includes the body: a producer that repeats its IDs must
 * not lose events.
 */
function requestIdOf(source: unknown, id: unknown, body: Uint8Array): string | undefined {
  if (typeof source !== 'string' || typeof id !== 'string') return undefined;
  return createHash('sha256')
    .update(JSON.stringify([source, id]))
    .update(body)
    .digest('base64url');
}

/** `source` and `id` of a single event. */
function identityIn({ beginning }: ShipperRequest): Readonly<Record<string, unknown>> {
  const scan = new JsonScan(beginning());
  const found: Record<string, unknown> = {};
  const start = scan.behindSpace(0);
  if (scan.isObject(start))
    scan.members(start, (nameStart, nameEnd, from, to) => {
      for (const name of ['source', 'id']) if (scan.is(name, nameStart, nameEnd)) found[name] = scan.value(from, to);
    });
  return found;
}

const receivingEndpoint = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  ...(path.includes('{key}') && { secretPath: true }),
  headers: attributes.map(headerOf),
  read(request) {
    const { headers, body } = request;
    if (!isBinary(request)) {
      const { source, id } = identityIn(request);
      return { requestId: requestIdOf(source, id, body) };
    }
    const { time, ...others } = Object.fromEntries(attributes.map((name) => [name, headers[headerOf(name)]]));
    return {
      options: { form: 'data' },
      labels: { ...others, datacontenttype: headers['content-type'], _time: time },
      requestId: requestIdOf(headers['ce-source'], headers['ce-id'], body),
    };
  },
  answer: ({ status }) => json(status, status.ingested === 0 && status.failed > 0 ? 400 : 200),
});

/** The request by which senders of webhooks make sure that the receiver wants their events. */
const consent = (path: string): HandshakeEndpoint => ({
  kind: 'handshake',
  methods: ['OPTIONS'],
  path,
  headers: ['webhook-request-origin'],
  ...(path.includes('{key}') && { secretPath: true }),
  answer: ({ headers: { 'webhook-request-origin': origin } }) => ({
    ...empty(200),
    headers: {
      allow: 'POST, OPTIONS',
      ...(origin !== undefined && { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' }),
    },
  }),
});

export const cloudevents: Protocol = {
  title: 'CloudEvents',
  tokenIn: ['basic', 'path'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: ['application/cloudevents+json', 'application/cloudevents-batch+json'],
    detects: () => true,
    threadFrom: threadFromBytes,
    encode(body, { form, contentType, limits }, encodeOptions) {
      const lines = new EventLines(1.5 * body.length, limits.maxDecompressedBytes, encodeOptions);
      if (form === 'data') readData(body, mediaTypeOf(contentType), lines);
      else readCloudEvents(body, lines);
      return lines.encode();
    },
  },
  endpoints: ['/v1/ingest/{dataset}/cloudevents', '/v1/in/{key}/{dataset}/cloudevents'].flatMap((path) => [
    receivingEndpoint(path),
    consent(path),
  ]),
};
