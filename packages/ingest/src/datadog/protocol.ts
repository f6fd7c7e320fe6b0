import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { json } from '@millrace/http/route';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { EventsEndpoint, Protocol } from '../protocol.js';
import { encodeTextLines } from '../text-lines.js';
import { readLogs, tagsIn } from './parse-logs.js';

/** Logs of the Datadog agent, and of programs that send to its interface for logs. */

const datadogErrors: ErrorFormat = {
  doc: 'Errors are `{"errors": [{"status", "title", "detail"}]}`.',
  mediaType: 'application/json',
  say: ({ code, status, message }) => ({
    status,
    mediaType: 'application/json',
    content: JSON.stringify({ errors: [{ status: String(status), title: code, detail: message }] }),
  }),
};

const logs = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  ...(path.includes('{key}') && { secretPath: true }),
  query: ['dataset', 'ddtags', 'ddsource', 'service', 'hostname'],
  headers: ['dd-message-timestamp'],
  read({ query: { dataset, ddtags, ...defaults }, headers, body }) {
    // The agent's connectivity check.
    if (body.length === 0) return { answer: json({}, 202) };
    const sent = headers['dd-message-timestamp'] ?? '';
    // Milliseconds; default time of entries without a time.
    const time = /^\d{12,14}$/.test(sent) ? { _time: Number(sent) } : {};
    return { dataset, labels: { ...time, ...defaults, ...(ddtags !== undefined && { tags: tagsIn(ddtags) }) } };
  },
  answer: ({ status: { ingested, failed, failures } }) =>
    ingested > 0 || failed === 0
      ? json({}, 202)
      : json({ errors: [{ status: '400', title: 'Bad Request', detail: failures[0]?.error ?? '' }] }, 400),
});

export const datadog: Protocol = {
  title: 'Datadog agent logs',
  tokenIn: ['datadog'],
  badToken: { status: 403 },
  errorForm: datadogErrors,
  format: {
    mediaTypes: [],
    detects: () => true,
    threadFrom: threadFromBytes,
    encode(body, { contentType, limits }, encodeOptions) {
      // Browsers also send JSON as `text/plain`.
      if (mediaTypeOf(contentType) === 'text/plain' && !/^\s*[[{]/.test(Buffer.from(body.subarray(0, 64)).toString()))
        return encodeTextLines(body, 'message', limits.maxDecompressedBytes, encodeOptions);
      const lines = new EventLines(1.2 * body.length, limits.maxDecompressedBytes, encodeOptions);
      readLogs(body, lines);
      return lines.encode();
    },
  },
  endpoints: [
    ...['/api/v2/logs', '/v1/input', '/v1/input/{key}'].map(logs),
    // Programs ask at `/api/v1/validate`, which is the same.
    { kind: 'handshake', methods: ['GET'], path: '/v1/validate', answer: () => json({ valid: true }) },
  ],
};
