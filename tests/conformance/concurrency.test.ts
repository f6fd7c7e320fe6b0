import { expect, it } from 'vitest';
import { cell, send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/** Responses to a client with too many concurrent queries. */

const one = oneServer({ MILLRACE_MAX_CONCURRENT_QUERIES: '1' });

it('a query too many is 429 until one before it has ended', async () => {
  const dataset = await one.dataset();
  const other = await one.dataset();
  const query = (more = '') =>
    request(one.server, `/v1/datasets/_apl?format=tabular${more}`, { body: `{"apl":"['${dataset}']"}` });
  const runningQueries = async () =>
    (await request(one.server, '/v1/queries')).body as readonly { readonly id: string }[];

  // Keeps a query running: it waits for an event that never arrives.
  const held = query('&streaming-duration=60s');
  await expect.poll(runningQueries).toHaveLength(1);

  const refused = await query();
  expect([refused.status, refused.body]).toMatchObject([
    429,
    { code: 429, message: expect.stringMatching(/too many concurrent queries/) },
  ]);
  for (const [name, value] of [
    ['x-querylimit-limit', '1'],
    ['x-querylimit-remaining', '0'],
  ] as const)
    expect(refused.headers.get(name)).toBe(value);
  expect(Number(refused.headers.get('x-querylimit-reset')) * 1000).toBeGreaterThan(Date.now() - 1000);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  // The server still takes other requests, and events above all.
  expect((await request(one.server, '/healthz')).status).toBe(200);
  expect(await send(one.server, other, '[{"x":1},{"x":2}]')).toMatchObject({ status: 200, body: { ingested: 2 } });

  const [first] = await runningQueries();
  expect((await request(one.server, `/v1/queries/${first!.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await held).status).toBe(409);
  expect((await query()).status).toBe(200);
  expect(await cell(one.server, `['${other}'] | count`)).toBe(2);
});
