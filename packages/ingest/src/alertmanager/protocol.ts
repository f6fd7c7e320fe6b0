import { json } from '@millrace/http/route';
import { defaultErrors } from '../default-errors.js';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import type { EventsEndpoint, Protocol } from '../protocol.js';
import { readNotifications } from './parse-notification.js';

/** Notifications of Prometheus Alertmanager and Grafana, as a `webhook_config` sends them. */

const receivingEndpoint = (path: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path,
  ...(path.includes('{key}') && { secretPath: true }),
  read: () => ({}),
  answer: ({ status }) => json(status, status.ingested === 0 && status.failed > 0 ? 400 : 200),
});

export const alertmanager: Protocol = {
  title: 'Prometheus Alertmanager',
  tokenIn: ['basic', 'path'],
  badToken: { status: 401 },
  errorForm: defaultErrors,
  format: {
    mediaTypes: ['application/json'],
    detects: () => true,
    threadFrom: threadFromBytes,
    // Each alert gets the properties of the notification.
    grows: true,
    encode(body, { limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
      const lines = new EventLines(2 * body.length, maxEventBytes, encodeOptions);
      readNotifications(body, lines);
      return lines.encode();
    },
  },
  endpoints: ['/v1/ingest/{dataset}/alertmanager', '/v1/in/{key}/{dataset}/alertmanager'].map(receivingEndpoint),
};
