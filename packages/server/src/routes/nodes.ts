import { Type } from 'typebox';
import { json, route, type Route } from '../http/route.js';
import { named } from '../schemas/parts.js';
import type { Deps } from './deps.js';

const Node = named(
  'Node',
  Type.Object({
    epoch: Type.Integer({
      description:
        'The number that this process was given when it started, and no other ever is; 0 for a server alone.',
    }),
    name: Type.String({ description: 'Of its machine.' }),
    version: Type.String(),
    url: Type.String({ description: 'Where it listens, as it knows itself; empty before it does.' }),
    started: Type.String(),
    seen: Type.String({ description: 'When it was heard of last.' }),
    live: Type.Boolean({ description: 'Whether that was in the last ten seconds.' }),
  }),
);

export const nodeRoutes = ({ node }: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/nodes',
    operation: 'listNodes',
    tag: 'Operations',
    summary: 'The processes that share the events',
    description:
      'The newest first; those that ended stay for a day. A server that shares its events with no other lists itself.',
    need: { scope: 'login' },
    request: {},
    responses: { 200: { description: 'The nodes.', schema: Type.Array(Node) } },
    errors: ['metadata-unavailable'],
    examples: [{ summary: 'All nodes' }],
    handle: async () => json(await node.list()),
  }),
];
