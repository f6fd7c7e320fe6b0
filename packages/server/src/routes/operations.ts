import { Type } from 'typebox';
import { MetadataError } from '@millrace/metadata/metadata-error';
import { oneOf, optional, withTitle } from '@millrace/api/schemas/parts';
import type { Deps } from './deps.js';
import { bytes, json, route, type Route } from '@millrace/http/route';

const tag = 'Operations';

const Health = withTitle(
  'Health',
  Type.Object({
    status: Type.Union([Type.Literal('ok'), Type.Literal('incomplete'), Type.Literal('unavailable')], {
      description: '`incomplete`: accepts events and queries, but stored events are missing.',
    }),
    reasons: Type.Array(Type.String(), { description: 'Problems and warnings; empty if there are none.' }),
  }),
);

const IngestRefusal = withTitle(
  'IngestRefusal',
  Type.Object({
    code: Type.String({
      description:
        'Error code, as in the header `X-Millrace-Error`; `invalid-events` if other events of the request were stored.',
    }),
    message: Type.String({ description: 'Latest error message.' }),
    path: Type.String(),
    tokenId: optional(Type.String()),
    tokenName: optional(Type.String()),
    address: Type.String(),
    count: Type.Integer({ description: 'Number of requests.' }),
    first: Type.String({ format: 'date-time' }),
    last: Type.String({ format: 'date-time' }),
  }),
);

/** Seen by anybody. */
function reasonOf(error: unknown): string {
  switch (error instanceof MetadataError ? error.code : undefined) {
    case 'outdated':
      return 'a newer version has changed the metadata: start a newer version of this node';
    default:
      return 'the metadata cannot be read';
  }
}

export function operationRoutes({ data, metadata, metrics, refused, orgs }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/ingest-refusals',
      operation: 'listIngestRefusals',
      tag,
      summary: 'List rejected ingest requests of the last hour',
      description:
        'By client, path and reason. Only requests to this process, which keeps them in memory. The audit log keeps missing permissions longer.',
      need: { scope: 'org', resource: 'auditLog', action: 'read' },
      request: {},
      responses: { 200: { description: 'Newest first.', schema: Type.Array(IngestRefusal) } },
      examples: [{ summary: 'All' }],
      handle: () => json(refused.list()),
    }),
    route({
      method: 'GET',
      path: '/healthz',
      operation: 'getHealth',
      tag,
      summary: 'Check server readiness',
      need: { scope: 'public' },
      description:
        'With `for=ingest` also 503 while no new event can be acknowledged though queries run, as on nodes whose replicas have lost Keeper.',
      request: { query: Type.Object({ for: optional(oneOf(['ingest'], { description: 'What has to work.' })) }) },
      responses: {
        200: { description: 'Ready.', schema: Health },
        503: { description: 'Not ready; `reasons` explains why.', schema: Health },
      },
      examples: [{ summary: 'Health', answer: { status: 'ok', reasons: [] } }],
      handle: async ({ query }) => {
        const { ready, acknowledges, complete, reasons } = data.health();
        const unreadable = await metadata.check().then(() => undefined, reasonOf);
        const closed = orgs?.closedCount ?? 0;
        const all = [
          ...reasons,
          ...(unreadable === undefined ? [] : [unreadable]),
          ...(closed === 0 ? [] : [`${closed} of the organizations could not be opened; the server log says why`]),
        ];
        const isFit = query.for === 'ingest' ? acknowledges : ready;
        const ok = isFit && unreadable === undefined;
        return json(
          { status: !ok ? 'unavailable' : complete && closed === 0 ? 'ok' : 'incomplete', reasons: all },
          ok ? 200 : 503,
        );
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      operation: 'getMetrics',
      tag,
      summary: 'Get metrics for Prometheus',
      need: { scope: 'login' },
      request: {},
      responses: {
        200: { description: 'Prometheus text format.', mediaTypes: ['text/plain; version=0.0.4; charset=utf-8'] },
      },
      examples: [{ summary: 'All figures' }],
      handle: () => bytes(metrics.print(), 'text/plain; version=0.0.4; charset=utf-8'),
    }),
  ];
}
