import { expect } from 'vitest';
import type { ProtocolName } from '../protocols.js';

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
  /** Two good events, `good-1` and `good-2`, and a bad one between them; absent where no event can be bad. */
  readonly bad?: { readonly body: string | Uint8Array; readonly says: object };
  /** Whether the path or the body can name a dataset. */
  readonly namesDataset: boolean;
  readonly refused: { readonly token: number; readonly dataset: number; readonly says: RegExp };
}

const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`axiom:${token}`).toString('base64')}` });

export const protocolCases: Readonly<Record<ProtocolName, ProtocolCase>> = {
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
    refused: { token: 403, dataset: 400, says: /^\{"text":"[A-Z][a-z ]+","code":\d+,"message":".+"\}$/ },
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
      token: 401,
      dataset: 404,
      says: /^\{"error":\{"root_cause":\[.+\],"type":"\w+","reason":".+"\},"status":\d+\}$/,
    },
  },
};
