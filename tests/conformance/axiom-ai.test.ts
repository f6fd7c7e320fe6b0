import { expect, it } from 'vitest';
import { apl, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/** What the command of `@axiomhq/ai` sends, and the checks its evaluations make before they run. */

const one = oneServer();

it('ingests with the name of a format as the type', async () => {
  const dataset = await one.dataset();
  const ingest = (type: string, body: string) => send(one.server, dataset, body, { 'content-type': type });
  const answers = [
    await ingest('json', '[{"n":1}]'),
    await ingest('ndjson', '{"n":2}\n{"n":3}\n'),
    await ingest('csv', 'n,name\n4,"a, b"\n'),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, expect.objectContaining({ ingested: 1, failed: 0 })],
    [200, expect.objectContaining({ ingested: 2, failed: 0 })],
    [200, expect.objectContaining({ ingested: 1, failed: 0 })],
  ]);
  const { tables } = await apl(one.server, `['${dataset}'] | where isnotempty(name) | project n, name`);
  expect(tables[0]!.columns).toEqual([['4'], ['a, b']]);
});

it('reads rows of events and of aggregations from legacy answers', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"path":"/a","n":1},{"path":"/a","n":2}]');
  const legacy = async (query: string) => {
    const body = JSON.stringify({ apl: `['${dataset}'] | ${query}`, maxBinAutoGroups: 40 });
    const answer = await request(one.server, '/v1/datasets/_apl?format=legacy', { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  expect(await legacy('limit 1')).toMatchObject({ matches: [{ data: { path: '/a' } }] });
  expect(await legacy('summarize requests = count() by path')).toMatchObject({
    buckets: { totals: [{ group: { path: '/a' }, aggregations: [{ op: 'requests', value: 2 }] }] },
  });
});

it('asks for what only the hosted service has, and goes on with 404', async () => {
  for (const path of ['/api/internal/datasets', '/api/internal/regions'])
    expect((await request(one.server, path)).status).toBe(404);
});
