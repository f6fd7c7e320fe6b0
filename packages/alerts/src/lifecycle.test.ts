import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { changesOf, runsOf } from './state/records.js';
import type { MonitorState } from './state/state.js';
import { storedMonitor } from './testing/monitors.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';

/** Lifecycle of monitors and notifiers: muting, turning off, and clock changes. */

const minute = 60_000;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => {
  world = await simulatedWorld(randomOf(1));
  world.calmDown();
});
afterEach(() => world.close());

/** A monitor that opens over values above 3 in the last minute, and its notifier. */
async function createMonitor(changes: Partial<StoredMonitor> = {}) {
  const notifier = await world.metadata.notifiers.create({
    name: 'n',
    properties: { webhook: { url: 'http://a.example' } },
    ...authorship,
  });
  const createdAt = new Date(world.now()).toISOString();
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q',
    threshold: 3,
    rangeMinutes: 1,
    createdAt,
    notifierIds: [notifier.id],
    ...changes,
  });
  return { monitor: await world.metadata.monitors.create(draft), notifier };
}
const arrive = (value: number): void => world.arrive({ time: world.now(), group: 'a', value });
const pass = async (milliseconds: number): Promise<void> => {
  world.advance(milliseconds);
  await world.settle();
};
const sentActions = (): readonly string[] =>
  world.received.map(({ body }) => (JSON.parse(body) as { readonly action: string }).action);
const until = (milliseconds: number): string => new Date(world.now() + milliseconds).toISOString();

describe('a monitor that is muted', () => {
  const mute = async ({ id }: StoredMonitor, minutes: number): Promise<void> => {
    const disabledUntil = until(minutes * minute);
    await world.metadata.monitors.update(id, (before) => ({ ...before, disabledUntil }));
  };

  test('keeps running, closes its incidents, and reopens the ones still firing after the mute', async () => {
    const { monitor } = await createMonitor();
    await pass(minute);
    arrive(9);
    await pass(minute);
    expect(sentActions()).toEqual(['Open']);
    const runs = (await runsOf(monitor.id, world.metadata.database)).length;
    await mute(monitor, 10);
    for (let i = 0; i < 9; i++) {
      arrive(9);
      await pass(minute);
    }
    expect(sentActions()).toEqual(['Open', 'Closed']);
    expect(await runsOf(monitor.id, world.metadata.database)).toHaveLength(runs + 9);
    expect((await world.alerts.states.status())[0]).toMatchObject({ state: 'off', openGroups: [{ values: [] }] });
    arrive(9);
    await pass(minute);
    await pass(minute);
    expect(sentActions()).toEqual(['Open', 'Closed', 'Open', 'Closed']);
  });

  test('writes what opens and closes during the mute to its history only', async () => {
    const { monitor } = await createMonitor();
    await mute(monitor, 10);
    await pass(minute);
    arrive(9);
    for (let i = 0; i < 12; i++) await pass(minute);
    const changes = await changesOf(monitor.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, world.metadata.database);
    expect([sentActions(), changes.map(({ state }) => state)]).toEqual([[], ['open', 'closed']]);
  });

  test('that is off sends no matches of that time', async () => {
    const { monitor } = await createMonitor({ type: 'MatchEvent' });
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

describe('a monitor that cannot run', () => {
  const failingRuns = async () => (await world.alerts.states.status())[0]!.failing?.runs;
  const texts = (): readonly string[] =>
    world.received.map(({ body }) => (JSON.parse(body) as { readonly event: { readonly body: string } }).event.body);

  test.each(['Threshold', 'MatchEvent'] as const)(
    'of type %s tells once, across restarts, and once when it runs again',
    async (type) => {
      const { monitor } = await createMonitor({ type });
      await pass(minute);
      world.breakQueries(true);
      // A match monitor without new events makes no query.
      arrive(1);
      for (let i = 0; i < 2; i++) {
        await pass(minute);
        await world.restart();
      }
      expect([sentActions(), await failingRuns()]).toEqual([[], undefined]);
      for (let i = 0; i < 3; i++) {
        await pass(minute);
        await world.restart();
      }
      expect([sentActions(), await failingRuns()]).toEqual([['Open'], 5]);
      expect((await world.alerts.states.status())[0]).toMatchObject({ state: 'error' });
      world.breakQueries(false);
      for (let i = 0; i < 2; i++) await pass(minute);
      expect([sentActions(), await failingRuns()]).toEqual([['Open', 'Closed'], undefined]);
      expect(texts()).toEqual([
        expect.stringMatching(/^The last 3 runs failed: .*60.* \(monitor: failing\)$/),
        'Runs succeed again (monitor: failing)',
      ]);
      const changes = await changesOf(monitor.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, world.metadata.database);
      expect(changes).toEqual([]);
    },
  );

  test('keeps what was open, and tells both after a mute', async () => {
    const { monitor } = await createMonitor();
    arrive(9);
    await pass(minute);
    world.breakQueries(true);
    const mute = until(4.5 * minute);
    await world.metadata.monitors.update(monitor.id, (before) => ({ ...before, disabledUntil: mute }));
    for (let i = 0; i < 4; i++) await pass(minute);
    expect(sentActions()).toEqual(['Open', 'Closed']);
    await pass(minute);
    expect(texts().at(-1)?.split('\n').toSorted()).toEqual([
      'Still open; newer runs failed',
      expect.stringMatching(/^The last 5 runs failed: .* \(monitor: failing\)$/),
    ]);
    world.breakQueries(false);
    await pass(minute);
    expect(sentActions()).toEqual(['Open', 'Closed', 'Open', 'Closed']);
  });

  test('never leaves receivers with it open, while a matching event waits', async () => {
    await createMonitor({ type: 'MatchEvent' });
    await pass(minute);
    world.leave(true);
    arrive(9);
    await pass(minute);
    world.breakQueries(true);
    arrive(1);
    for (let i = 0; i < 4; i++) await pass(minute);
    world.breakQueries(false);
    await pass(minute);
    world.leave(false);
    for (let i = 0; i < 12; i++) await pass(minute);
    const state = texts().filter((text) => text.endsWith('(monitor: failing)'));
    expect(state.at(-1)).toBe('Runs succeed again (monitor: failing)');
    const { database } = world.metadata;
    expect(await database.selectFrom('notifications').select('id').where('state', '=', 'waiting').execute()).toEqual(
      [],
    );
  });
});

test.each([
  ['what is still open', 3, ['Open']],
  ['nothing that is over', 4, []],
])('a notifier gets %s after its mute', async (_, minutes, expected) => {
  const { notifier } = await createMonitor({ notifyEveryRun: true });
  const disabledUntil = until(minutes * minute);
  await world.metadata.notifiers.update(notifier.id, (before) => ({ ...before, disabledUntil }));
  await pass(minute);
  for (let i = 0; i < 2; i++) {
    arrive(9);
    expect(sentActions()).toEqual([]);
    await pass(minute);
  }
  expect(sentActions()).toEqual(expected);
  await pass(2 * minute);
  expect(sentActions()).toEqual(expected.length === 0 ? [] : ['Open', 'Closed']);
});

test('a receiver that is away for a day: the state is kept, the reason is there, and nothing piles up', async () => {
  world.close();
  world = await simulatedWorld(randomOf(2), { notifyRetries: 60 * minute, notifyWaiting: 20 });
  world.calmDown();
  const { monitor } = await createMonitor({ notifyEveryRun: true });
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
  expect((await world.alerts.states.status())[0]).toMatchObject({ state: 'open' });
  const failed = await database.selectFrom('notifications').select('problem').where('state', '=', 'failed').execute();
  expect(failed.length).toBeGreaterThan(80);
  expect(new Set(failed.map(({ problem }) => problem.replace(/\d+/g, 'N')))).toEqual(
    new Set(['N; replaced by a newer message']),
  );
  world.leave(false);
  const before = world.received.length;
  for (let i = 0; i < 15; i++) await pass(minute);
  expect(world.received.length).toBeGreaterThan(before);
  expect(sentActions().at(-1)).toBe('Closed');
  expect((await runsOf(monitor.id, database)).length).toBeGreaterThan(80);
});

describe('a directory of a version that kept no states of receivers', () => {
  /** Leaves the data that such a version writes. */
  async function downgrade(): Promise<void> {
    const { database } = world.metadata;
    await database.deleteFrom('receiver_states').execute();
    await database.updateTable('notifications').set({ groups: '' }).execute();
    for (const { monitor_id, state } of await database.selectFrom('monitor_states').selectAll().execute()) {
      const { followed: _, ...rest } = JSON.parse(state) as MonitorState;
      await database
        .updateTable('monitor_states')
        .set({ state: JSON.stringify(rest) })
        .where('monitor_id', '=', monitor_id)
        .execute();
    }
    await world.restart();
  }

  test.each([
    ['opens once', [9, 9], ['Open']],
    ['closes later', [9, 0, 0], ['Open', 'Closed']],
    ['closes at the first run', [0, 0], ['Open', 'Closed']],
    ['closes and opens again', [0, 9, 9], ['Open', 'Closed', 'Open']],
  ])('what it opened %s', async (_, values, expected) => {
    await createMonitor();
    arrive(9);
    await pass(minute);
    expect(sentActions()).toEqual(['Open']);
    await downgrade();
    for (const value of values) {
      arrive(value);
      await pass(minute);
    }
    expect(sentActions()).toEqual(expected);
  });

  test('a failed message of it is sent before the next ones', async () => {
    await createMonitor();
    world.leave(true);
    arrive(9);
    await pass(minute);
    await downgrade();
    const attempts = world.received.length;
    world.leave(false);
    for (let i = 0; i < 3; i++) await pass(minute);
    expect(sentActions().slice(attempts)).toEqual(['Open', 'Closed']);
  });
});

describe('the clock', () => {
  const timesOf = async ({ id }: StoredMonitor) =>
    (await runsOf(id, world.metadata.database)).map(({ time }) => time).toReversed();

  test('set back a little, no run is made twice', async () => {
    const { monitor } = await createMonitor();
    for (const step of [minute, minute, -50_000, 1000, minute, minute]) await pass(step);
    const times = await timesOf(monitor);
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times).toHaveLength(3);
  });

  test('after the clock is set back by hours, runs continue within an interval', async () => {
    const { monitor } = await createMonitor();
    await pass(600 * minute);
    await pass(-300 * minute);
    await pass(minute);
    await pass(minute);
    const newest = new Set([0, 300, 301, 302].map((minutes) => Date.parse(monitor.createdAt) + minutes * minute));
    expect((await timesOf(monitor)).filter((time) => newest.has(time))).toHaveLength(3);
  });

  test.each(['Threshold', 'MatchEvent'] as const)(
    'after the clock is set back by 10 minutes, a monitor of type %s continues',
    async (type) => {
      await createMonitor({ type });
      for (let i = 0; i < 10; i++) await pass(minute);
      world.advance(-10 * minute);
      for (let i = 0; i < 3; i++) {
        arrive(9);
        await pass(minute);
      }
      expect(sentActions()).toEqual(type === 'Threshold' ? ['Open'] : ['Open', 'Open', 'Open']);
    },
  );

  test.each([-10, 10, -300])('set by %i minutes, an open group is sent again in time', async (change) => {
    await createMonitor({ renotifyMinutes: 5 });
    arrive(9);
    await pass(minute);
    world.setClock(change * minute);
    for (let i = 0; i < 11; i++) {
      arrive(9);
      await pass(minute);
    }
    const count = sentActions().length;
    expect(new Set(sentActions())).toEqual(new Set(['Open']));
    expect(count).toBeGreaterThanOrEqual(2);
    expect(count).toBeLessThanOrEqual(4);
  });

  test.each([-10, 10, -300])('set by %i minutes, a group is kept open for at most twice as long', async (change) => {
    await createMonitor({ keepFiringMinutes: 10 });
    arrive(9);
    await pass(minute);
    world.setClock(change * minute);
    for (let i = 0; i < 22; i++) await pass(minute);
    expect(sentActions()).toEqual(['Open', 'Closed']);
  });

  test.each([-10, 10])(
    'set by %i minutes during a silence, receivers have what is open once it ends',
    async (change) => {
      const { monitor } = await createMonitor();
      arrive(9);
      await pass(minute);
      await world.metadata.silences.create({
        reason: 'upgrade',
        monitorIds: [monitor.id],
        startTime: until(minute / 2),
        endTime: until(8.5 * minute),
        ...authorship,
      });
      for (let i = 0; i < 24; i++) {
        if (i === 3) world.setClock(change * minute);
        arrive(9);
        await pass(minute);
      }
      // It opens and closes alternately, and is open at the end.
      const actions = sentActions();
      expect(actions.filter((each, i) => each === actions[i - 1])).toEqual([]);
      expect([actions[0], actions.at(-1)]).toEqual(['Open', 'Open']);
      expect(actions.length).toBeLessThanOrEqual(5);
    },
  );

  test('set ahead, the runs in between are not made up for', async () => {
    const { monitor } = await createMonitor();
    await pass(minute);
    await pass(600 * minute);
    expect(await timesOf(monitor)).toHaveLength(2);
  });
});
