import { Type } from 'typebox';
import { json, route, type Route } from '@millrace/http/route';
import { withTitle } from '@millrace/api/schemas/parts';
import type { Deps } from './deps.js';

const Shard = withTitle(
  'Shard',
  Type.Object({
    shard: Type.Integer({ description: 'Position among the addresses in the setting, starting at 1.' }),
    ready: Type.Boolean({ description: 'Whether it accepts events and queries, as seen by this node.' }),
    datasets: Type.Array(Type.String(), { description: 'Names of the datasets that it stores.' }),
  }),
);

export const shardRoutes = ({ data, metadata }: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/shards',
    operation: 'listShards',
    tag: 'Operations',
    summary: 'List shards and their datasets',
    description: 'A query reads datasets of one shard only. Without sharding there is one shard, with all datasets.',
    need: { scope: 'login' },
    request: {},
    responses: { 200: { description: 'The shards in order.', schema: Type.Array(Shard) } },
    examples: [{ summary: 'All shards', answer: [{ shard: 1, ready: true, datasets: ['logs'] }] }],
    handle: () => {
      const present = metadata.datasets.list();
      const namesOn = (shard: number) => present.filter((each) => each.shard === shard).map(({ name }) => name);
      return json(data.shards.ready().map((ready, i) => ({ shard: i + 1, ready, datasets: namesOn(i + 1) })));
    },
  }),
];
