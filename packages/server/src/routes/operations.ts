import { Type } from 'typebox';
import { MetadataError } from '../metadata/metadata-error.js';
import { named, optional } from '../schemas/parts.js';
import type { Deps } from './deps.js';
import { bytes, json, route, type Route } from '../http/route.js';

const tag = 'Operations';

const Health = named(
  'Health',
  Type.Object({
    status: Type.Union([Type.Literal('ok'), Type.Literal('incomplete'), Type.Literal('unavailable')], {
      description: '`incomplete`: it takes events and queries, but stored events are missing.',
    }),
    reasons: Type.Array(Type.String(), { description: 'What is wrong or worth knowing; empty if nothing is.' }),
  }),
);

const IngestRefusal = named(
  'IngestRefusal',
  Type.Object({
    code: Type.String({
      description: 'As in the header `X-Millrace-Error`; `invalid-events` if others of the same request were stored.',
    }),
    message: Type.String({ description: 'The latest one.' }),
    path: Type.String(),
    tokenId: optional(Type.String()),
    tokenName: optional(Type.String()),
    address: Type.String(),
    count: Type.Integer({ description: 'Requests.' }),
    first: Type.String({ format: 'date-time' }),
    last: Type.String({ format: 'date-time' }),
  }),
);

/** Seen by anybody. */
function reasonOf(error: unknown): string {
  switch (error instanceof MetadataError ? error.code : undefined) {
    case 'outdated':
      return 'a newer version has changed the metadata: start a newer version of this node';
    case 'left-behind':
      return 'there are datasets on a shard that this node was not told of: start it again with the addresses of all';
    default:
      return 'the metadata cannot be read';
  }
}

export function operationRoutes({ data, metadata, metrics, refused }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/ingest-refusals',
      operation: 'listIngestRefusals',
      tag,
      summary: 'What was refused of events in the last hour',
      description:
        'By sender, path and reason; of this process alone, and forgotten when it ends. The audit log has refusals of rights for longer.',
      need: { scope: 'org', resource: 'auditLog', action: 'read' },
      request: {},
      responses: { 200: { description: 'The latest first.', schema: Type.Array(IngestRefusal) } },
      examples: [{ summary: 'All of them' }],
      handle: () => json(refused.list()),
    }),
    route({
      method: 'GET',
      path: '/healthz',
      operation: 'getHealth',
      tag,
      summary: 'Whether the server can take events and queries',
      need: { scope: 'public' },
      request: {},
      responses: {
        200: { description: 'It can.', schema: Health },
        503: { description: 'It cannot; `reasons` say why.', schema: Health },
      },
      examples: [{ summary: 'Health', answer: { status: 'ok', reasons: [] } }],
      handle: async () => {
        const { ready, complete, reasons } = data.health();
        const unreadable = await metadata.check().then(() => undefined, reasonOf);
        const all = unreadable === undefined ? reasons : [...reasons, unreadable];
        const ok = ready && unreadable === undefined;
        return json({ status: !ok ? 'unavailable' : complete ? 'ok' : 'incomplete', reasons: all }, ok ? 200 : 503);
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      operation: 'getMetrics',
      tag,
      summary: 'Figures for Prometheus',
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
