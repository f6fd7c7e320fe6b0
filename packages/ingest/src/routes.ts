import { Type } from 'typebox';
import { type ErrorCode, httpError } from '@millrace/api/errors';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { json, route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { IngestStatus } from './response.js';
import { nativeFormats } from './formats/body-formats.js';
import type { ProtocolSettings } from './protocol.js';
import type { ProtocolName } from './protocols.js';
import type { IngestReply } from './ingest-reply.js';
import type { UsageByKey } from '@millrace/runtime/memory/fair-share';
import { requireRoom } from './assert-capacity.js';
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
  'timestamp-format': Type.Optional(Type.String({ description: 'Go reference layout. Default: detected.' })),
  'csv-delimiter': Type.Optional(Type.String({ description: 'Default `,`. Ignored unless the body is CSV.' })),
});

const headers = Type.Object({
  'content-type': Type.Optional(
    Type.String({
      description:
        '`text/csv`, or a JSON type such as `application/json` or `application/x-ndjson`. Default: JSON, also for the default types of common HTTP clients.',
    }),
  ),
  'content-encoding': Type.Optional(Type.String({ description: 'gzip, zstd, deflate, br or identity.' })),
  'x-axiom-csv-fields': Type.Optional(
    Type.String({ description: 'Names of the columns; the first line of the CSV is then data.' }),
  ),
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Requests with the same key are stored once, as long as the key is remembered.',
    }),
  ),
  'x-axiom-event-labels': Type.Optional(Type.String({ description: 'JSON object merged into every event.' })),
});

/** The errors of every ingest route. */
export const ingestErrors = [
  'ingest-dataset-not-found',
  'ingest-dataset-not-created',
  'wrong-dataset-kind',
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
type IngestCall = RequestContext<typeof request>;

/** Both paths accept the same requests and return the same responses. */
export function ingestRoutes(deps: IngestRouteDependencies): readonly Route[] {
  const common = {
    tag: 'Ingest',
    description:
      'JSON array, single object, NDJSON (detected from the body) or CSV with a header line. Malformed events are listed in `failures`; the other events are stored.',
    need: { scope: 'dataset', param: 'dataset', resource: 'ingest', action: 'create' },
    request,
    responses: { 200: { description: 'Numbers of stored and rejected events.', schema: IngestStatus } },
    errors: ['key-reused', ...ingestErrors],
    maxBodyBytes: deps.maxBodyBytes,
    limitFamily: 'Ingest',
    // Place for Heroku and other senders that can only be configured with a URL.
    tokenIn: ['basic'],
    refusesMisspelt: true,
    // Before the body is read, so that clients need not send a body that will be rejected, and
    // again while it arrives: its size is unknown before.
    admit: (others: UsageByKey) => requireRoom(others, deps),
    handle: async (call: IngestCall): Promise<RouteResponse> => {
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

/** Records failed events for the list of rejected requests, in addition to the response. */
export function noteFailed({ status, repeated }: IngestReply, call: Pick<RequestContext, 'partFailed'>): void {
  const { failed, ingested, failures } = status;
  if (failed === 0 || repeated) return;
  const problem = `${failed} of ${failed + ingested} events could not be stored: ${failures[0]?.error ?? 'they are no events'}`;
  call.partFailed(httpError('invalid-events', { problem }));
}

function requestOf({ headers, query, body, principal, abort }: IngestCall): Omit<IngestRequest, 'dataset'> {
  // Clients send options they do not use as empty strings.
  const givenMember = <K extends string>(name: K, value: string | undefined) =>
    (value === undefined || value === '' ? {} : { [name]: value }) as { readonly [P in K]?: string };
  return {
    body,
    formats: nativeFormats,
    sender: senderOf(principal, abort),
    options: {
      contentType: headers['content-type'] ?? '',
      ...givenMember('contentEncoding', headers['content-encoding'] || encodingIn(headers['content-type'])),
      ...givenMember('labels', headers['x-axiom-event-labels']),
      ...givenMember('csvFields', headers['x-axiom-csv-fields']),
      ...givenMember('csvDelimiter', query['csv-delimiter']),
      ...givenMember('timestampField', query['timestamp-field']),
      ...givenMember('timestampFormat', query['timestamp-format']),
    },
    ...givenMember('idempotencyKey', headers['idempotency-key']),
  };
}

/** For whom a body is read. */
export const senderOf = (principal: RequestContext['principal'], { signal }: AbortController): BodySender => ({
  token: principal.kind === 'anonymous' ? '' : principal.tokenId,
  signal,
});

/**
 * Headers with the log position of the events; `GET /v1/receipts/{position}` returns their state.
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
