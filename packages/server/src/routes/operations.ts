import { Type } from 'typebox';
import { named } from '../schemas/parts.js';
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

export function operationRoutes({ data, metadata, metrics }: Deps): readonly Route[] {
  return [
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
        const readable = await metadata.check().then(
          () => true,
          () => false,
        );
        const all = readable ? reasons : [...reasons, 'the metadata cannot be read'];
        const ok = ready && readable;
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
