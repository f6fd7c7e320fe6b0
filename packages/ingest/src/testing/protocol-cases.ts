import { expect } from 'vitest';
import type { ProtocolName } from '../protocols.js';
import { delivery, frameMessage, lokiPush, notification } from './bodies.js';
import { snappy } from './snappy.js';

/** Requests of each protocol, as its programs send them. */
export interface ProtocolCase {
  readonly path: (dataset: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization: (token: string) => Readonly<Record<string, string>>;
  /** A body with these messages; it names the dataset, where the protocol does that in the body. */
  readonly bodyOf: (messages: readonly string[], dataset?: string) => string | Uint8Array;
  /** The field a message is found in. */
  readonly field: string;
  readonly success: object;
  /**
   * Two good events, `good-1` and `good-2`, and a bad one between them; absent where no event can
   * be bad.
   */
  readonly bad?: { readonly body: string | Uint8Array; readonly says: object };
  /** Whether the path or the body can name a dataset. */
  readonly namesDataset: boolean;
  readonly refused: { readonly dataset: number; readonly says: RegExp };
}

const usual = /^\{"code":\d+,"message":".+"\}$/;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`axiom:${token}`).toString('base64')}` });

/** All protocols of events except those with raw sockets. */
export type HttpProtocol = Exclude<ProtocolName, 'syslog' | 'fluentd' | 'gelf' | 'prometheus'>;

export const protocolCases: Readonly<Record<HttpProtocol, ProtocolCase>> = {
  splunk: {
    path: () => '/services/collector/event',
    headers: { 'content-type': 'application/json' },
    authorization: (token) => ({ authorization: `Splunk ${token}` }),
    bodyOf: (messages, index) =>
      messages
        .map((message) =>
          JSON.stringify({ time: 1_790_000_000.5, host: 'web', ...(index && { index }), event: { message } }),
        )
        .join(''),
    field: 'message',
    success: { status: 200, text: '{"text":"Success","code":0}' },
    bad: {
      body: '{"event":{"message":"good-1"}}\n{"event":{"message":"bad}}\n{"event":{"message":"good-2"}}\n',
      says: { status: 200 },
    },
    namesDataset: true,
    refused: { dataset: 400, says: /^\{"text":"[A-Z][a-z ]+","code":\d+,"message":".+"\}$/ },
  },
  elastic: {
    path: (dataset) => `/v1/ingest/${dataset}/elastic/_bulk`,
    headers: { 'content-type': 'application/x-ndjson' },
    authorization: basic,
    bodyOf: (messages) => messages.map((message) => `{"create":{}}\n${JSON.stringify({ message })}\n`).join(''),
    field: 'message',
    success: {
      status: 200,
      text: expect.stringMatching(
        /^\{"took":1,"errors":false,"items":\[(\{"create":\{"_version":1,"result":"created","status":201\}\},?)+\]\}$/,
      ),
    },
    bad: {
      body: '{"index":{"_id":"1"}}\n{"message":"good-1"}\n{"create":{}}\n{"message":}\n{"create":{"_id":"2"}}\n{"message":"good-2"}\n',
      says: {
        status: 200,
        text: expect.stringMatching(
          /^\{"took":1,"errors":true,"items":\[\{"index":\{"_id":"1",.*"status":201\}\},\{"create":\{"status":400,"error":\{"type":"mapper_parsing_exception","reason":".+"\}\}\},\{"create":\{"_id":"2",.*"status":201\}\}\]\}$/,
        ),
      },
    },
    namesDataset: true,
    refused: {
      dataset: 404,
      says: /^\{"error":\{"root_cause":\[.+\],"type":"\w+","reason":".+"\},"status":\d+\}$/,
    },
  },
  vercel: {
    path: (dataset) => `/v1/ingest/${dataset}/vercel`,
    headers: { 'content-type': 'application/json' },
    authorization: bearer,
    bodyOf: (messages) =>
      JSON.stringify(messages.map((message) => ({ id: 'x', message, timestamp: 1_790_000_000_000, source: 'lambda' }))),
    field: 'message',
    success: { status: 200, text: expect.stringContaining('"failed":0') },
    bad: {
      body: '{"message":"good-1"}\n{"message":}\n{"message":"good-2"}',
      says: { status: 200, text: expect.stringContaining('"ingested":2,"failed":1') },
    },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  loki: {
    path: (dataset) => `/v1/ingest/${dataset}/loki/loki/api/v1/push`,
    headers: { 'content-type': 'application/x-protobuf' },
    authorization: basic,
    bodyOf: (messages) => snappy(lokiPush([{ labels: '{app="web"}', lines: messages }])),
    field: 'message',
    success: { status: 204, text: '' },
    namesDataset: true,
    refused: { dataset: 404, says: /^(?!\{)[^\n]+\n$/ },
  },
  firehose: {
    path: (dataset) => `/v1/ingest/${dataset}/firehose`,
    headers: { 'content-type': 'application/json' },
    authorization: (token) => ({ 'x-amz-firehose-access-key': token }),
    bodyOf: (messages) => delivery(messages.map((message) => JSON.stringify({ message }))),
    field: 'message',
    success: { status: 200, text: expect.stringMatching(/^\{"requestId":"","timestamp":\d+\}$/) },
    bad: {
      body: delivery(['{"message":"good-1"}', '{"message":}', '{"message":"good-2"}']),
      says: { status: 200 },
    },
    namesDataset: true,
    refused: { dataset: 404, says: /^\{"requestId":"","timestamp":\d+,"errorMessage":".+"\}$/ },
  },
  heroku: {
    path: (dataset) => `/v1/ingest/${dataset}/heroku`,
    headers: { 'content-type': 'application/logplex-1' },
    authorization: basic,
    bodyOf: (messages) =>
      messages.map((message) => frameMessage(`<40>1 2026-09-21T14:13:20+00:00 host app web.1 - ${message}`)).join(''),
    field: 'message',
    success: { status: 200, text: '' },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  datadog: {
    path: (dataset) => `/api/v2/logs?dataset=${dataset}`,
    headers: { 'content-type': 'application/json' },
    authorization: (token) => ({ 'dd-api-key': token }),
    bodyOf: (messages) => JSON.stringify(messages.map((message) => ({ message, ddtags: 'env:prod' }))),
    field: 'message',
    success: { status: 202, text: '{}' },
    bad: { body: '[{"message":"good-1"},{"message":nil},{"message":"good-2"}]', says: { status: 202 } },
    namesDataset: true,
    refused: { dataset: 404, says: /^\{"errors":\[\{"status":"\d+","title":".+","detail":".+"\}\]\}$/ },
  },
  honeycomb: {
    path: (dataset) => `/1/batch/${dataset}`,
    headers: { 'content-type': 'application/json' },
    authorization: (token) => ({ 'x-honeycomb-team': token }),
    bodyOf: (messages) => JSON.stringify(messages.map((message) => ({ data: { message } }))),
    field: 'message',
    success: { status: 200, text: expect.stringMatching(/^\[(\{"status":202\},?)+\]$/) },
    bad: {
      body: '[{"data":{"message":"good-1"}},{"data":{"message":x}},{"data":{"message":"good-2"}}]',
      says: {
        status: 200,
        text: expect.stringMatching(/^\[\{"status":202\},\{"status":400,"error":".+"\},\{"status":202\}\]$/),
      },
    },
    namesDataset: true,
    refused: { dataset: 404, says: /^\{"error":".+"\}$/ },
  },
  journald: {
    path: (dataset) => `/v1/ingest/${dataset}/journald/upload`,
    headers: { 'content-type': 'application/vnd.fdo.journal' },
    authorization: basic,
    bodyOf: (messages) => messages.map((message) => `__CURSOR=c\nMESSAGE=${message}\nPRIORITY=6\n\n`).join(''),
    field: 'message',
    success: { status: 202, text: 'OK.\n' },
    bad: {
      body: 'MESSAGE=good-1\n\nMESSAGE\n\xff\xff\xff\xff\xff\xff\xff\xffx\n\nMESSAGE=good-2\n\n',
      says: { status: 202 },
    },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  webhook: {
    path: (dataset) => `/v1/in/-/${dataset}`,
    headers: { 'content-type': 'application/vnd.of-somebody' },
    authorization: bearer,
    bodyOf: (messages) => messages.map((message) => JSON.stringify({ message })).join('\n'),
    field: 'message',
    success: { status: 200, text: expect.stringContaining('"failed":0') },
    bad: {
      body: '{"message":"good-1"}\n{"message":}\n{"message":"good-2"}',
      says: { status: 200, text: expect.stringContaining('"ingested":2,"failed":1') },
    },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  alertmanager: {
    path: (dataset) => `/v1/ingest/${dataset}/alertmanager`,
    headers: { 'content-type': 'application/json' },
    authorization: basic,
    bodyOf: (messages) => notification(messages.map((message) => JSON.stringify({ status: 'firing', message }))),
    field: 'message',
    success: { status: 200, text: expect.stringContaining('"failed":0') },
    bad: {
      body: notification(['{"message":"good-1"}', '{"message":nil}', '{"message":"good-2"}']),
      says: { status: 200, text: expect.stringContaining('"ingested":2,"failed":1') },
    },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  cloudevents: {
    path: (dataset) => `/v1/ingest/${dataset}/cloudevents`,
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    authorization: bearer,
    bodyOf: (messages) => JSON.stringify(messages.map((message, i) => ({ id: String(i), source: '/s', message }))),
    field: 'message',
    success: { status: 200, text: expect.stringContaining('"failed":0') },
    bad: {
      body: '[{"message":"good-1"},{"message":nil},{"message":"good-2"}]',
      says: { status: 200, text: expect.stringContaining('"ingested":2,"failed":1') },
    },
    namesDataset: true,
    refused: { dataset: 404, says: usual },
  },
  sentry: {
    path: (dataset) => `/v1/ingest/${dataset}/sentry/api/7/envelope/`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
    authorization: (token) => ({
      'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${token.replaceAll('-', '_')}`,
    }),
    bodyOf: (messages) =>
      `{"event_id":"e"}\n${messages.map((message) => `{"type":"event"}\n${JSON.stringify({ message })}\n`).join('')}`,
    field: 'message',
    success: { status: 200, text: '{}' },
    bad: {
      body: '{}\n{"type":"event"}\n{"message":"good-1"}\n{"type":"event"}\n{"message":nil}\n{"type":"event","length":20}\n{"message":"good-2"}',
      says: { status: 200, text: '{}' },
    },
    namesDataset: true,
    refused: { dataset: 404, says: /^\{"detail":".+"\}$/ },
  },
};
