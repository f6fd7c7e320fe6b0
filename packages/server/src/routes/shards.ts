import { Type } from 'typebox';
import { json, route, type Route } from '../http/route.js';
import { named } from '../schemas/parts.js';
import type { Deps } from './deps.js';

const Shard = named(
  'Shard',
  Type.Object({
    shard: Type.Integer({ description: 'Its place among the addresses of the setting, from 1 on.' }),
    ready: Type.Boolean({ description: 'Whether it takes events and answers, as this process sees it.' }),
    datasets: Type.Array(Type.String(), { description: 'Names of the datasets whose events it has.' }),
  }),
);

export const shardRoutes = ({ data, metadata }: Deps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/shards',
    operation: 'listShards',
    tag: 'Operations',
    summary: 'The shards, and which datasets are on each',
    description: 'One query reads the datasets of one shard. Without several there is one, with all of them.',
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
