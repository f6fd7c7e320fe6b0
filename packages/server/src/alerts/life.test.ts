import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMonitor } from '../schemas/monitor.js';
import { runsOf } from './state/records.js';
import { storedMonitor } from './testing/monitors.js';
import { randomOf, simulatedWorld } from './testing/simulated-world.js';

/**
 * What happens to monitors and notifiers while they live: they are muted, turned off, and the clock
 * is set.
 */

const minute = 60_000;
const made = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => {
  world = await simulatedWorld(randomOf(1));
  world.calmDown();
});
afterEach(() => world.close());

/** A monitor that opens over values above 3 in the last minute, and its notifier. */
async function watching(changes: Partial<StoredMonitor> = {}) {
  const notifier = await world.metadata.notifiers.create({ name: 'n', properties: { webhook: { url: 'http://a.example' } }, ...made }); // prettier-ignore
  const createdAt = new Date(world.now()).toISOString();
  const { id: _, ...draft } = storedMonitor({ aplQuery: 'q', threshold: 3, rangeMinutes: 1, createdAt, notifierIds: [notifier.id], ...changes }); // prettier-ignore
  return { monitor: await world.metadata.monitors.create(draft), notifier };
}
const arrive = (value: number): void => world.arrive({ time: world.now(), group: 'a', value });
const pass = async (milliseconds: number): Promise<void> => {
  world.advance(milliseconds);
  await world.settle();
};
const told = (): readonly string[] =>
  world.received.map(({ body }) => (JSON.parse(body) as { readonly action: string }).action);
const until = (milliseconds: number): string => new Date(world.now() + milliseconds).toISOString();

describe('a monitor that is muted', () => {
  test('makes no runs, and tells of its closing when it speaks again', async () => {
    const { monitor } = await watching();
    await pass(minute);
    arrive(9);
    await pass(minute);
    expect(told()).toEqual(['Open']);
    const runs = (await runsOf(monitor.id, world.metadata.database)).length;
    const disabledUntil = until(10 * minute);
    await world.metadata.monitors.update(monitor.id, (before) => ({ ...before, disabledUntil }));
    for (let i = 0; i < 9; i++) await pass(minute);
    expect([told(), (await runsOf(monitor.id, world.metadata.database)).length]).toEqual([['Open'], runs]);
    expect((await world.alerts.status())[0]).toMatchObject({ state: 'off' });
    await pass(2 * minute);
    expect(told()).toEqual(['Open', 'Closed']);
  });

  test('tells nobody of what matches meanwhile', async () => {
    const { monitor } = await watching({ type: 'MatchEvent' });
    await pass(minute);
    await world.metadata.monitors.update(monitor.id, (before) => ({ ...before, disabled: true }));
    arrive(8);
    await pass(minute);
    await world.metadata.monitors.update(monitor.id, (before) => ({ ...before, disabled: false }));
    arrive(9);
    await pass(minute);
    expect(world.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { event: { matchedEvent: { value: 9 } } },
    ]);
  });
});

test('a notifier that is muted gets nothing later either', async () => {
  const { notifier } = await watching({ notifyEveryRun: true });
  const disabledUntil = until(3 * minute);
  await world.metadata.notifiers.update(notifier.id, (before) => ({ ...before, disabledUntil }));
  await pass(minute);
  arrive(9);
  await pass(minute);
  expect(told()).toEqual([]);
  await pass(3 * minute);
  expect(told()).toEqual(['Closed']);
});

test('a receiver that is away for a day: the state is kept, the reason is there, and nothing piles up', async () => {
  world.close();
  world = await simulatedWorld(randomOf(2), { notifyRetries: 60 * minute, notifyWaiting: 20 });
  world.calmDown();
  const { monitor } = await watching({ notifyEveryRun: true });
  world.leave(true);
  for (let i = 0; i < 24 * 4; i++) {
    arrive(9);
    await pass(minute);
    world.advance(14 * minute);
  }
  arrive(9);
  await pass(minute);
  const { database } = world.metadata;
  const waiting = await database.selectFrom('notifications').select('id').where('state', '=', 'waiting').execute();
  expect(waiting.length).toBeLessThanOrEqual(20);
  expect((await world.alerts.status())[0]).toMatchObject({ state: 'open' });
  const failed = await database.selectFrom('notifications').select('problem').where('state', '=', 'failed').execute();
  expect(failed.length).toBeGreaterThan(80);
  expect(new Set(failed.map(({ problem }) => problem.replace(/\d+/g, 'N')))).toEqual(
    new Set(['N; given up after N attempts']),
  );
  world.leave(false);
  const before = world.received.length;
  for (let i = 0; i < 15; i++) await pass(minute);
  expect(world.received.length).toBeGreaterThan(before);
  expect(told().at(-1)).toBe('Closed');
  expect((await runsOf(monitor.id, database)).length).toBeGreaterThan(80);
});

describe('the clock', () => {
  const timesOf = async ({ id }: StoredMonitor) =>
    (await runsOf(id, world.metadata.database)).map(({ time }) => time).toReversed();

  test('set back a little, no run is made twice', async () => {
    const { monitor } = await watching();
    for (const step of [minute, minute, -90_000, 1000, minute, minute, minute]) await pass(step);
    const times = await timesOf(monitor);
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times).toHaveLength(3);
  });

  test('set back by hours, runs go on within an interval', async () => {
    const { monitor } = await watching();
    await pass(600 * minute);
    await pass(-300 * minute);
    await pass(minute);
    await pass(minute);
    const newest = new Set([0, 300, 301, 302].map((minutes) => Date.parse(monitor.createdAt) + minutes * minute));
    expect((await timesOf(monitor)).filter((time) => newest.has(time))).toHaveLength(3);
  });

  test('set ahead, the runs in between are not made up for', async () => {
    const { monitor } = await watching();
    await pass(minute);
    await pass(600 * minute);
    expect(await timesOf(monitor)).toHaveLength(2);
  });
});
