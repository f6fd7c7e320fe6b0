import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

let world: EngineWorld;
beforeAll(async () => (world = await openEngineWorld()));
afterAll(() => world.close());

test('a deletion reads what was acknowledged before it, also of another dataset', async () => {
  await world.dataset('logs', [{ id: 1 }, { id: 2 }]);
  await world.dataset('blocked', [{ id: 2 }]);
  const remove = (commit: boolean) =>
    world.send('POST', '/v2/datasets/_apl/delete', { apl: 'logs | where id in (blocked | project id)', commit });
  // The engine used to compute such a deletion for ever, and all others waited for it.
  expect((await remove(true)).body).toMatchObject({ rowsDeleted: 1 });
  expect((await world.apl('logs | project id')).tables[0]!.columns).toEqual([[1]]);
  await world.ingest('blocked', [{ id: 1, added: true }]);
  expect((await remove(false)).body).toMatchObject({ rowsMatched: 1 });
});
