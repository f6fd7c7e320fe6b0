import { Type } from 'typebox';
import { json, route, type Route } from '@millrace/http/route';
import { withTitle } from '@millrace/api/schemas/parts';
import type { Deps } from './deps.js';

const Node = withTitle(
  'Node',
  Type.Object({
    epoch: Type.Integer({
      description: 'Unique number of this process, assigned at startup; 0 for a single server.',
    }),
    name: Type.String({ description: 'Host name.' }),
    version: Type.String(),
    url: Type.String({ description: 'Address where it listens; empty during startup.' }),
    started: Type.String(),
    seen: Type.String({ description: 'Time of the last heartbeat.' }),
    live: Type.Boolean({ description: 'True if the last heartbeat is at most 10 seconds old.' }),
  }),
);

export const nodeRoutes = ({ node }: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/nodes',
    operation: 'listNodes',
    tag: 'Operations',
    summary: 'List cluster nodes',
    description: 'Newest first. Ended nodes are listed for a day. A single server lists itself.',
    need: { scope: 'login' },
    request: {},
    responses: { 200: { description: 'The nodes.', schema: Type.Array(Node) } },
    errors: ['metadata-unavailable'],
    examples: [{ summary: 'All nodes' }],
    handle: async () => json(await node.list()),
  }),
];
