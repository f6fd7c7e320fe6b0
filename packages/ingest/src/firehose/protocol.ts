import type { IncomingHttpHeaders } from 'node:http';
import { type RouteResponse, bytes } from '@millrace/http/route';
import { EventLines } from '../event-lines.js';
import type { BodyFormat } from '../formats/format.js';
import { threadFromBytes } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import { readRecords } from './parse-records.js';

/**
 * Amazon Data Firehose's HTTP endpoint delivery. Every response repeats the ID of the request;
 * without it, it counts as a failure.
 */

const json = 'application/json';
const requestIdHeader = 'x-amz-firehose-request-id';
const attributesHeader = 'x-amz-firehose-common-attributes';
/** Maximum length of a message that the sender stores. */
const longestMessage = 8192;

const responseBody = (requestId: unknown, errorMessage?: string) =>
  JSON.stringify({
    requestId: typeof requestId === 'string' ? requestId : '',
    timestamp: Date.now(),
    ...(errorMessage !== undefined && { errorMessage: errorMessage.slice(0, longestMessage) }),
  });

const firehoseFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  grows: true,
  encode(body, { limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const lines = new EventLines(2 * body.length, maxEventBytes, encodeOptions);
    readRecords(body, { now: maxEventBytes, ever: limits.maxDecompressedBytes }, lines);
    return lines.encode();
  },
};

/** Attributes that the operator of the stream adds to all events: `{"commonAttributes": {…}}`. */
function attributesIn(header = ''): Readonly<Record<string, string>> {
  try {
    const { commonAttributes } = JSON.parse(header === '' ? '{}' : header) as { readonly commonAttributes?: unknown };
    if (typeof commonAttributes !== 'object' || commonAttributes === null) return {};
    return Object.fromEntries(Object.entries(commonAttributes).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}

const answer = (requestId: string | undefined, status = 200, problem?: string): RouteResponse =>
  bytes(responseBody(requestId, problem), json, status);

export const firehose: Protocol = {
  title: 'Amazon Data Firehose',
  tokenIn: ['firehose'],
  badToken: { status: 401 },
  errorForm: {
    doc: 'Every answer is `{"requestId", "timestamp", "errorMessage"}`.',
    mediaType: json,
    say: ({ status, message }, headers: IncomingHttpHeaders) => ({
      status,
      mediaType: json,
      content: responseBody(headers[requestIdHeader], message),
    }),
  },
  format: firehoseFormat,
  endpoints: [
    {
      kind: 'events',
      methods: ['POST'],
      path: '/v1/ingest/{dataset}/firehose',
      headers: [requestIdHeader, attributesHeader],
      read: ({ headers }) => ({
        labels: attributesIn(headers[attributesHeader]),
        // The same when a delivery is tried again.
        requestId: headers[requestIdHeader],
      }),
      // A delivery without records is a test of the connection.
      answer: ({ status: { ingested, failed, failures }, request: { headers } }) =>
        ingested === 0 && failed > 0
          ? answer(headers[requestIdHeader], 400, failures[0]?.error)
          : answer(headers[requestIdHeader]),
    },
  ],
};
