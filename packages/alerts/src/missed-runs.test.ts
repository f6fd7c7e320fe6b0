import { expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Settings } from '@millrace/http/settings/settings';
import { changesOf, runsOf } from './state/records.js';
import { storedMonitor } from './testing/monitors.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';

/** After a stop, the next run of a monitor makes up the runs that the server missed. */

const minute = 60_000;

/** A monitor that has run once, and a server that is stopped for ten minutes. */
async function afterStop(
  changes: Partial<StoredMonitor>,
  arrives: readonly number[],
  settings: Partial<Settings> = {},
) {
  const world = await simulatedWorld(randomOf(1), settings);
  world.calmDown();
  const properties = { webhook: { url: 'http://receiver.example' } };
  const written = { createdAt: '', createdBy: '', updatedAt: '' };
  const notifier = await world.metadata.notifiers.create({ name: 'n', properties, ...written });
  const start = world.now();
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q',
    threshold: 3,
    rangeMinutes: 1,
    createdAt: new Date(start).toISOString(),
    notifierIds: [notifier.id],
    ...changes,
  });
  const { id } = await world.metadata.monitors.create(draft);
  await world.settle();
  // Each event is seen by the run that follows.
  for (const after of arrives) world.arrive({ time: start + (after - 0.5) * minute, group: 'g', value: 5 });
  world.advance(10 * minute);
  await world.restart();
  await world.settle();
  const minutes = (time: number): number => (time - start) / minute;
  const { database } = world.metadata;
  const history = await changesOf(id, { from: 0, to: Number.MAX_SAFE_INTEGER }, database);
  const runs = await runsOf(id, database);
  const actions = world.received.map(({ body }) => (JSON.parse(body) as { action: string }).action);
  world.close();
  return {
    runs: runs.map(({ time }) => minutes(time)).toReversed(),
    history: history.map(({ state, timestamp }) => `${state} ${minutes(Date.parse(timestamp))}`),
    actions,
  };
}

test('an incident that opened and closed during the stop is in the history and not notified', async () => {
  expect(await afterStop({}, [3, 4, 7])).toEqual({
    runs: [0, 3, 4, 7, 10],
    // A missed run without data does not close it.
    history: ['open 3', 'closed 10'],
    actions: [],
  });
});

test('notifies once for an incident that stays open', async () => {
  expect(await afterStop({}, [3, 10])).toEqual({ runs: [0, 3, 10], history: ['open 3'], actions: ['Open'] });
});

test('N of M counts the missed runs', async () => {
  const of = { triggerFromNRuns: 3, triggerAfterNPositiveResults: 3 };
  expect((await afterStop(of, [8, 9, 10])).history).toEqual(['open 10']);
  expect((await afterStop(of, [9, 10])).history).toEqual([]);
});

test('makes up only the newest runs, and none of monitors for low values or without query time', async () => {
  const all = [3, 6, 8, 9, 10];
  const runsOfStop = async (...[changes, settings]: [Partial<StoredMonitor>, Partial<Settings>?]) =>
    (await afterStop(changes, all, settings)).runs;
  expect(await runsOfStop({}, { monitorMissedRuns: 2 })).toEqual([0, 8, 9, 10]);
  expect(await runsOfStop({ operator: 'Below' })).toEqual([0, 10]);
  expect(await runsOfStop({}, { monitorMissedTime: 0 })).toEqual([0, 10]);
});
