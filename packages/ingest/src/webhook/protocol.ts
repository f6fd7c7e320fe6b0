import { json } from '@millrace/http/route';
import { csvFormat } from '../formats/csv.js';
import { jsonFormat } from '../formats/json.js';
import { threadFromBytes } from '../formats/format.js';
import type { EventsEndpoint, Protocol } from '../protocol.js';
import { defaultErrors } from '../default-errors.js';

/**
 * Senders that can only be configured with a URL, such as webhooks: the token is in the path, and
 * the body is parsed like native ingest.
 */

const endpoint = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  secretPath: true,
  query: ['timestamp-field', 'timestamp-format'],
  read: ({ query }) => ({
    options: {
      ...(query['timestamp-field'] !== undefined && { timestampField: query['timestamp-field'] }),
      ...(query['timestamp-format'] !== undefined && { timestampFormat: query['timestamp-format'] }),
    },
  }),
  answer: ({ status }) => json(status),
});

export const webhook: Protocol = {
  title: 'Webhooks',
  tokenIn: ['path'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: [],
    // Their content types are unreliable.
    detects: () => true,
    threadFrom: threadFromBytes,
    encode: (body, options, encodeOptions) =>
      (csvFormat.detects(options.contentType) ? csvFormat : jsonFormat).encode(body, options, encodeOptions),
  },
  endpoints: ['/v1/in/{key}', '/v1/in/{key}/{dataset}'].map(endpoint),
};
