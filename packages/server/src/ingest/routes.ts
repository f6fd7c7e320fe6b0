import { Type } from 'typebox';
import { type ErrorCode, httpError } from '../errors.js';
import { mediaTypeOf } from '../http/body/media-type.js';
import { json, route, type Answer, type Call, type Route } from '../http/route.js';
import { IngestStatus } from './answer.js';
import { nativeFormats } from './formats/body-formats.js';
import type { ProtocolSettings } from './protocol.js';
import type { ProtocolName } from './protocols.js';
import type { IngestReply } from './ingest-reply.js';
import type { TakenFor } from '../memory/taken-bytes.js';
import { requireRoom } from './require-room.js';
import type { Targets } from './target.js';
import type { BodySender } from './encoders.js';
import type { IngestDependencies, IngestRequest } from './ingest.js';
import { ingestInto } from './ingest-into.js';

/** Ingest over HTTP: the native endpoint and its edge path. */

export interface IngestRouteDependencies extends IngestDependencies {
  readonly targets: Targets;
  readonly maxBodyBytes: number;
  readonly settings: ProtocolSettings;
  /** Called after each request, for the metrics. */
  readonly answered: (reply: IngestReply, protocol?: ProtocolName) => void;
}

const params = Type.Object({ dataset: Type.String() });

const query = Type.Object({
  'timestamp-field': Type.Optional(Type.String({ description: 'Field of the events that supplies `_time`.' })),
  'timestamp-format': Type.Optional(Type.String({ description: 'Go reference layout; detected if left out.' })),
  'csv-delimiter': Type.Optional(Type.String({ description: 'Default `,`. Ignored unless the body is CSV.' })),
});

const headers = Type.Object({
  'content-type': Type.Optional(
    Type.String({
      description:
        '`text/csv`, or a type of JSON such as `application/json` or `application/x-ndjson`. JSON if left out, or if it is a default of common clients.',
    }),
  ),
  'content-encoding': Type.Optional(Type.String({ description: 'gzip, zstd, deflate, br or identity.' })),
  'x-axiom-csv-fields': Type.Optional(
    Type.String({ description: 'Names of the columns; the first line of the CSV is then data.' }),
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'A request sent again with the same key, within the time keys are remembered, is stored once.',
    }),
  ),
  'x-axiom-event-labels': Type.Optional(Type.String({ description: 'JSON object merged into every event.' })),
});

/** The errors that every route for sending events can answer with. */
export const ingestErrors = [
  'ingest-dataset-not-found',
  'ingest-dataset-not-created',
  'invalid-events',
  'body-too-large',
  'unsupported-encoding',
  'unsupported-content-type',
  'ingest-behind',
  'disk-full',
  'storage-unavailable',
  'out-of-memory',
] as const satisfies readonly ErrorCode[];

const request = { params, query, headers, body: 'bytes' } as const;
type IngestCall = Call<typeof request>;

/** Both paths take the same requests and give the same answers. */
export function ingestRoutes(deps: IngestRouteDependencies): readonly Route[] {
  const common = {
    tag: 'Ingest',
    description:
      'JSON array, single object, NDJSON (told apart by the bytes) or CSV with a header line. A malformed event fails alone and is listed in `failures`; its neighbours are stored.',
    need: { scope: 'dataset', param: 'dataset', resource: 'ingest', action: 'create' },
    request,
    responses: { 200: { description: 'What was stored and what was refused.', schema: IngestStatus } },
    errors: ['key-reused', ...ingestErrors],
    maxBodyBytes: deps.maxBodyBytes,
    limitFamily: 'Ingest',
    // Where Heroku and other senders of nothing but a URL have it.
    tokenIn: ['basic'],
    refusesMisspelt: true,
    // Before the body is read, so that clients need not send what cannot be taken, and again as it
    // arrives: its size is not known before.
    admit: (others: TakenFor) => requireRoom(others, deps),
    handle: async (call: IngestCall): Promise<Answer> => {
      const reply = await ingestInto(call.params.dataset, call, requestOf(call), deps);
      deps.answered(reply);
      noteFailed(reply, call);
      return json(reply.status, 200, receipt(reply));
    },
  } as const;
  return [
    route({
      ...common,
      method: 'POST',
      path: '/v1/datasets/{dataset}/ingest',
      operation: 'ingest',
      summary: 'Send events',
      examples: [{ summary: 'Two events', params: { dataset: 'logs' }, body: '[{"status":200},{"status":404}]' }],
    }),
    route({
      ...common,
      method: 'POST',
      path: '/v1/ingest/{dataset}',
      operation: 'ingestEdge',
      summary: 'Send events (edge path)',
    }),
  ];
}

/**
 * The answer says which events failed and why; so does the list of what was refused, to whoever
 * looks at the server.
 */
export function noteFailed({ status, repeated }: IngestReply, call: Pick<Call, 'partFailed'>): void {
  const { failed, ingested, failures } = status;
  if (failed === 0 || repeated) return;
  const problem = `${failed} of ${failed + ingested} events could not be stored: ${failures[0]?.error ?? 'they are no events'}`;
  call.partFailed(httpError('invalid-events', { problem }));
}

function requestOf({ headers, query, body, principal, abort }: IngestCall): Omit<IngestRequest, 'dataset'> {
  // Clients send options they do not use as empty strings.
  const given = <K extends string>(name: K, value: string | undefined) =>
    (value === undefined || value === '' ? {} : { [name]: value }) as { readonly [P in K]?: string };
  return {
    body,
    formats: nativeFormats,
    sender: senderOf(principal, abort),
    options: {
      contentType: headers['content-type'] ?? '',
      ...given('contentEncoding', headers['content-encoding'] || encodingIn(headers['content-type'])),
      ...given('labels', headers['x-axiom-event-labels']),
      ...given('csvFields', headers['x-axiom-csv-fields']),
      ...given('csvDelimiter', query['csv-delimiter']),
      ...given('timestampField', query['timestamp-field']),
      ...given('timestampFormat', query['timestamp-format']),
    },
    ...given('idempotencyKey', headers['idempotency-key']),
  };
}

/** For whom a body is read. */
export const senderOf = (principal: Call['principal'], { signal }: AbortController): BodySender => ({
  token: principal.kind === 'anonymous' ? '' : principal.tokenId,
  signal,
});

/**
 * Headers that give the position of the events in the log: `GET /v1/receipts/{position}` tells how
 * far they have come.
 */
export function receipt({ position, repeated }: IngestReply): Readonly<Record<string, string>> {
  return {
    ...(position !== undefined && { 'x-millrace-position': String(position) }),
    ...(repeated && { 'idempotent-replayed': 'true' }),
  };
}

/** The content encoding of a file that is sent with its type instead. */
const encodingIn = (contentType = ''): string | undefined =>
  /^application\/(x-)?gzip$/.test(mediaTypeOf(contentType)) ? 'gzip' : undefined;
