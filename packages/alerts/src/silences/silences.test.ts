import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Silence } from '@millrace/api/schemas/silence';
import { changesOf } from '../state/records.js';
import { forgetSilences } from './forget-silences.js';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';

/** What receivers and the history get while monitors or groups are silenced. */

const minute = 60_000;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => {
  world = await simulatedWorld(randomOf(1));
  world.calmDown();
});
afterEach(() => world.close());

async function createMonitor(changes: Partial<StoredMonitor> = {}): Promise<StoredMonitor> {
  const notifier = await world.metadata.notifiers.create({
    name: 'n',
    properties: { webhook: { url: 'http://a.example' } },
    ...authorship,
  });
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q',
    threshold: 3,
    rangeMinutes: 1,
    createdAt: new Date(world.now()).toISOString(),
    notifierIds: [notifier.id],
    labels: { team: 'payments' },
    ...changes,
  });
  return world.metadata.monitors.create(draft);
}
const silence = (minutes: number, about: Partial<Silence>) =>
  world.metadata.silences.create({
    reason: 'upgrade',
    startTime: new Date(world.now()).toISOString(),
    endTime: new Date(world.now() + minutes * minute).toISOString(),
    ...about,
    ...authorship,
  });
/** Passes a minute, in which these groups have a high value. */
async function pass(...high: readonly string[]): Promise<void> {
  for (const group of high) world.arrive({ time: world.now(), group, value: 9 });
  world.advance(minute);
  await world.settle();
}
interface SentMessage {
  readonly action: string;
  readonly event: { readonly body: string };
}
const messages = (): readonly SentMessage[] => world.received.map(({ body }) => JSON.parse(body) as SentMessage);
const sentActions = (): readonly string[] => messages().map(({ action }) => action);
const history = async ({ id }: StoredMonitor): Promise<readonly string[]> =>
  (await changesOf(id, { from: 0, to: Number.MAX_SAFE_INTEGER }, world.metadata.database)).map(({ state }) => state);

describe('a silence by label', () => {
  test('closes open incidents, and sends those still open at its end once', async () => {
    await createMonitor();
    await pass('a');
    await pass('a');
    expect(sentActions()).toEqual(['Open']);
    await silence(5, { labels: { team: 'payments' } });
    for (let i = 0; i < 4; i++) await pass('a');
    expect(sentActions()).toEqual(['Open', 'Closed']);
    expect((await world.alerts.states.status())[0]).toMatchObject({ state: 'open', silencedUntil: expect.any(String) });
    for (let i = 0; i < 3; i++) await pass('a');
    expect(sentActions()).toEqual(['Open', 'Closed', 'Open']);
    expect((await world.alerts.states.status())[0]).not.toHaveProperty('silencedUntil');
  });

  test('leaves what opens and closes in between to the history', async () => {
    const monitor = await createMonitor();
    await silence(10, { labels: { team: 'payments' } });
    await pass('a');
    for (let i = 0; i < 12; i++) await pass();
    expect([sentActions(), await history(monitor)]).toEqual([[], ['open', 'closed']]);
  });

  test.each([
    ['another label', { labels: { team: 'search' } }],
    ['one label of two', { labels: { team: 'payments', tier: '1' } }],
    ['another monitor', { monitorIds: ['mon_other'] }],
  ])('is not about %s', async (_, about) => {
    await createMonitor();
    await silence(10, about);
    await pass('a');
    expect(sentActions()).toEqual(['Open']);
  });

  test('drops matching events, and writes them to the history', async () => {
    const monitor = await createMonitor({ type: 'MatchEvent' });
    await pass();
    await silence(1.5, { monitorIds: [monitor.id] });
    await pass('a');
    expect([sentActions(), await history(monitor)]).toEqual([[], ['open']]);
    await pass();
    await pass('b');
    expect(sentActions()).toEqual(['Open']);
  });
});

test('silences that ended are deleted with the history', async () => {
  await silence(1, { labels: { team: 'payments' } });
  const { id } = await silence(10, { labels: { team: 'payments' } });
  await forgetSilences(world.now() + 2 * minute, world.metadata);
  expect((await world.metadata.silences.list()).map((each) => each.id)).toEqual([id]);
});

describe('a silence by group', () => {
  const lines = (): readonly (readonly string[])[] =>
    messages().map(({ action, event }) => [action, ...event.body.split('\n').map((line) => /\((.*)\)$/.exec(line)?.[1] ?? line)]); // prettier-ignore

  test('silences these groups only, also across restarts', async () => {
    const monitor = await createMonitor({ aplQuery: 'q by', notifyByGroup: true });
    await pass('a', 'b');
    expect(lines()).toEqual([['Open', 'g: a', 'g: b']]);
    await silence(4, { groups: { g: 'a' } });
    await pass('a', 'b');
    expect(lines().slice(1)).toEqual([['Closed', 'g: a']]);
    await world.restart();
    await pass('a', 'b', 'c');
    expect(lines().slice(2)).toEqual([['Open', 'g: c']]);
    await pass('a', 'b', 'c');
    await world.restart();
    await pass('a', 'b', 'c');
    await pass('a', 'b', 'c');
    expect(lines().slice(3)).toEqual([['Open', 'g: a']]);
    await pass();
    expect(lines().slice(4)).toEqual([['Closed', 'g: b', 'g: c', 'g: a']]);
    expect(await history(monitor)).toEqual(['open', 'open', 'open', 'closed', 'closed', 'closed']);
  });

  test('does not notify for a group that opened and closed in between', async () => {
    const monitor = await createMonitor({ aplQuery: 'q by', notifyByGroup: true, notifyEveryRun: true });
    await silence(4, { groups: { g: 'a' } });
    await pass('a');
    await pass('a');
    for (let i = 0; i < 5; i++) await pass();
    expect([sentActions(), await history(monitor)]).toEqual([[], ['open', 'closed']]);
  });

  test('a crash before any write of the starting or ending run notifies once', async () => {
    for (let step = 1; step < 40; step += 1) {
      world.close();
      world = await simulatedWorld(randomOf(1));
      world.calmDown();
      await createMonitor({ aplQuery: 'q by', notifyByGroup: true });
      await pass('a');
      await silence(1.5, { groups: { g: 'a' } });
      for (let i = 0; i < 3; i++) {
        world.arrive({ time: world.now(), group: 'a', value: 9 });
        world.advance(minute);
        await world.settle(step);
        await world.settle();
      }
      // A message may repeat after a kill between its delivery and the write of that.
      const order = lines().filter((each, i, all) => JSON.stringify(each) !== JSON.stringify(all[i - 1]));
      expect([step, order]).toEqual([
        step,
        [
          ['Open', 'g: a'],
          ['Closed', 'g: a'],
          ['Open', 'g: a'],
        ],
      ]);
    }
  });
});
