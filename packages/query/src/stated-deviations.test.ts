import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/** Statements of docs/deviations.md and docs/apl/deviations.md that need stored events. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ columnBudget: 16 });
  await world.dataset('tagged', [
    { level: 1, tags: ['1', '2'] },
    { level: 2, tags: [2, '3'] },
  ]);
  await world.dataset('objects', [
    { n: 1, o: {} },
    { n: 2, o: { k: 7 } },
  ]);
  await world.dataset('rare', [Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, i]))]);
}, 60_000);
afterAll(() => world.close());

it.each([
  ['a list in events has elements of a type', 'tagged | where level in (tags) | project level', [[2]]],
  ['which tostring bridges', 'tagged | where tostring(level) in (tags) | project level', [[1]]],
  ['{} is stored under its name', 'objects | sort by n asc | project o', [[{}, { k: 7 }]]],
  ['a rare field is found by its name', 'rare | project f39', [[39]]],
])('%s', async (_, apl, columns) =>
  expect(await world.apl(apl)).toMatchObject({ tables: [expect.objectContaining({ columns })] }),
);

it.each(['summarize take_any(*)', 'project bag = bag_pack(*)'])('%s leaves rare fields out', async (operator) => {
  const text = JSON.stringify(await world.apl(`rare | ${operator}`));
  expect(text).toContain('f0');
  expect(text).not.toContain('f39');
});
