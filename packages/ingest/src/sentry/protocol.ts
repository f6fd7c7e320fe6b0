import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { json } from '@millrace/http/route';
import { EventLines } from '../event-lines.js';
import { threadFromBytes } from '../formats/format.js';
import { readObjects } from '../formats/object-lists.js';
import type { EventsEndpoint, Protocol } from '../protocol.js';
import { readEnvelope, writeTyped } from './parse-envelope.js';

/** Errors, transactions and logs of Sentry's libraries, in envelopes or as single events. */

const sentryErrors: ErrorFormat = {
  doc: 'Errors are `{"detail"}`.',
  mediaType: 'application/json',
  say({ code, status, message }, headers, url = '') {
    const given = headers['x-sentry-auth'] ?? headers.authorization ?? /[?&]sentry_key=(.+)/.exec(url)?.[1];
    return {
      status: code === 'unauthenticated' && given === undefined ? 401 : status,
      mediaType: 'application/json',
      content: JSON.stringify({ detail: message }),
    };
  },
};

const receivingEndpoint = (form: 'envelope' | 'store', base: string): EventsEndpoint => ({
  kind: 'events',
  methods: ['POST'],
  path: `${base}/api/{project}/${form}`,
  query: ['sentry_key', 'sentry_version', 'sentry_client'],
  headers: ['x-sentry-auth'],
  read: ({ params: { project = '' } }) => ({
    // Most libraries require a number.
    ...(!/^\d+$/.test(project) && { dataset: project }),
    options: { form, contentType: '' },
    labels: { project },
  }),
  // Libraries know the IDs of their events.
  answer: ({ status: { ingested, failed, failures } }) =>
    ingested === 0 && failed > 0 ? json({ detail: failures[0]?.error ?? 'nothing could be stored' }, 400) : json({}),
});

export const sentry: Protocol = {
  title: 'Sentry',
  tokenIn: ['sentry'],
  badToken: { status: 403, missing: 401 },
  errorForm: sentryErrors,
  format: {
    mediaTypes: [],
    detects: () => true,
    threadFrom: threadFromBytes,
    encode(body, { form, limits }, encodeOptions) {
      const lines = new EventLines(1.5 * body.length, limits.maxDecompressedBytes, encodeOptions);
      if (form === 'store') readObjects(body, 'event', writeTyped('event'), lines);
      else readEnvelope(body, lines);
      return lines.encode();
    },
  },
  endpoints: ['', '/v1/ingest/{dataset}/sentry'].flatMap((base) => [
    receivingEndpoint('envelope', base),
    receivingEndpoint('store', base),
  ]),
};
