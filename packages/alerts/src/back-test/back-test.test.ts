import { expect, test } from 'vitest';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';
import { backTest } from './back-test.js';

const minute = 60_000;
const to = Date.UTC(2026, 10, 20, 10);
const value = { name: 'v', role: 'value', values: [1] } as const;

const runsSince = async (from: number, maxRuns: number) => {
  const { runs, complete } = await backTest(
    storedMonitor({ intervalMinutes: 2 }),
    { from, to },
    {
      source: { table: async () => ({ columns: [value], rows: 1, datasets: [] }) },
      signal: new AbortController().signal,
      timeout: 1000,
      deadline: Infinity,
      maxRuns: maxRuns,
      maxGroups: 10,
      groupMemory: 60 * minute,
      explain: String,
    },
  );
  return { times: runs.map(({ time }) => (to - time) / minute), complete };
};

test('omits the oldest of too many runs, and the result says so', async () => {
  expect(await runsSince(to - 8 * minute, 5)).toEqual({ times: [8, 6, 4, 2, 0], complete: true });
  expect(await runsSince(to - 9 * minute, 3)).toEqual({ times: [5, 3, 1], complete: false });
});

test.each([
  [1, 9],
  [10, 90],
  [1000, 1440],
])('the default range at an interval of %i min fits the limit', async (intervalMinutes, expected) => {
  const world = await simulatedWorld(randomOf(1), { previewRuns: 10 });
  expect((to - world.alerts.drafts.previewStart({ intervalMinutes }, to)) / minute).toBe(expected);
  world.close();
});
