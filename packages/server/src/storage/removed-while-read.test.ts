import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

let world: EngineWorld;
beforeAll(async () => (world = await openEngineWorld()));
afterAll(() => world.close());

it('a dataset that is removed while somebody exports it holds up nothing else', async () => {
  // More than the system holds for a reader that has stopped.
  const text = 'x'.repeat(4000);
  await world.dataset('read');
  for (let part = 0; part < 4; part++) {
    await world.ingest(
      'read',
      Array.from({ length: 2500 }, (_, id) => ({ id, text })),
    );
  }
  const slow = new AbortController();
  const answer = await fetch(`${world.url}/v1/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apl: 'read' }),
    signal: slow.signal,
  });
  const reader = answer.body!.getReader();
  expect((await reader.read()).done).toBe(false);
  let removed = false;
  const removing = world.send('DELETE', '/v2/datasets/read').then(({ status }) => {
    removed = true;
    return status;
  });
  await expect.poll(async () => (await world.send('GET', '/v2/datasets/read')).status).toBe(404);
  // These need statements of the engine: a table, and a column.
  await world.dataset('other', [{ id: 1 }]);
  await world.ingest('other', [{ fresh: true }]);
  expect((await world.apl('other | where fresh == true | count')).tables[0]!.columns).toEqual([[1]]);
  expect(removed).toBe(false);
  await reader.cancel();
  slow.abort();
  expect(await removing).toBe(204);
});
