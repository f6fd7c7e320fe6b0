import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';
import { replaceRoutes } from './route-table.js';

/** What receivers get of monitors that are escalated, acknowledged, repeated and inhibited. */

const minute = 60_000;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => start());
afterEach(() => world.close());

async function start(): Promise<void> {
  world = await simulatedWorld(randomOf(1));
  world.calmDown();
}

async function receiver(name: string): Promise<string> {
  const properties = { webhook: { url: `http://${name}.example` } };
  return (await world.metadata.notifiers.create({ name, properties, ...authorship })).id;
}
async function createMonitor(changes: Partial<StoredMonitor> = {}): Promise<StoredMonitor> {
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q by',
    notifyByGroup: true,
    threshold: 3,
    rangeMinutes: 1,
    createdAt: new Date(world.now()).toISOString(),
    ...changes,
  });
  return world.metadata.monitors.create(draft);
}
/** Passes a minute, in which these groups have a high value. */
async function pass(high: string, killAfter = 0): Promise<void> {
  for (const group of high) world.arrive({ time: world.now(), group, value: 9 });
  world.advance(minute);
  await world.settle(killAfter);
  if (killAfter > 0) await world.settle();
}
/** Messages to a receiver: `+a` opened, `-a` closed. A message may repeat after a kill. */
const sentMessages = (name: string): string =>
  world.received
    .filter(({ url }) => url.includes(name))
    .map(({ body }) => JSON.parse(body) as { readonly action: string; readonly event: { readonly body: string } })
    .map(({ action, event }) => {
      const groups = [...event.body.matchAll(/\(g: (\w)\)/g)].map(([, group]) => group).join('');
      return `${action === 'Open' ? '+' : '-'}${groups}`;
    })
    .filter((each, i, all) => each !== all[i - 1])
    .join(' ');

async function createEscalation(): Promise<StoredMonitor> {
  const [chat, pager] = [await receiver('chat'), await receiver('pager')];
  const escalation = { afterMinutes: 3, notifierIds: [pager] };
  await replaceRoutes(world.metadata, {
    routes: [{ name: 'r', notifierIds: [chat], escalation }],
    updatedAt: '',
    updatedBy: '',
  });
  return createMonitor();
}

test.each([-10, 10, -300])('a group is escalated in time after the clock is set by %i minutes', async (change) => {
  await createEscalation();
  await pass('a');
  world.setClock(change * minute);
  for (let i = 0; i < 6; i++) await pass('a');
  expect([sentMessages('chat'), sentMessages('pager')]).toEqual(['+a', '+a']);
});

test('a group that stays open is escalated, and its closing is sent there too', async () => {
  await createEscalation();
  for (const high of ['a', 'a', 'ab', 'ab', 'ab', 'b', 'b', '', '']) await pass(high);
  expect([sentMessages('chat'), sentMessages('pager')]).toEqual(['+a +b -a -b', '+a -a +b -b']);
  const first = world.received.find(({ url }) => url.includes('pager'));
  expect(first?.body).toContain('Not acknowledged: Current value of 9 is above');
});

test('an acknowledged group is not escalated, until it opens again', async () => {
  const { id } = await createEscalation();
  await pass('ab');
  expect(await world.alerts.states.acknowledge(id, ({ labels }) => labels[0] === 'a', { by: 'usr_1' })).toEqual([
    ['a'],
  ]);
  expect((await world.alerts.states.status())[0]?.openGroups).toEqual([
    expect.objectContaining({ values: ['a'], acknowledged: { at: expect.any(String), by: 'usr_1' } }),
    expect.not.objectContaining({ acknowledged: expect.anything() }),
  ]);
  for (const high of ['ab', 'ab', 'ab', '', 'a']) await pass(high);
  expect(sentMessages('pager')).toBe('+b -b');
  for (const high of ['a', 'a', 'a']) await pass(high);
  expect(sentMessages('pager')).toBe('+b -b +a');
});

test('a group acknowledged after its escalation is closed there', async () => {
  const { id } = await createEscalation();
  for (const high of ['a', 'a', 'a', 'a', 'a']) await pass(high);
  await world.alerts.states.acknowledge(id, () => true, { by: 'usr_1' });
  for (const high of ['a', '']) await pass(high);
  expect(sentMessages('pager')).toBe('+a -a');
});

test('an expired silence notifies an escalated notifier that the incident is acknowledged', async () => {
  const { id } = await createEscalation();
  for (const high of ['a', 'a', 'a', 'a', 'a']) await pass(high);
  await world.alerts.states.acknowledge(id, () => true, { by: 'usr_1' });
  const [startTime, endTime] = [world.now(), world.now() + 2 * minute].map((time) => new Date(time).toISOString());
  await world.metadata.silences.create({
    reason: 'r',
    monitorIds: [id],
    startTime: startTime!,
    endTime: endTime!,
    ...authorship,
  });
  for (const high of ['a', 'a', 'a', 'a']) await pass(high);
  expect(sentMessages('pager')).toBe('+a -a +a');
  const last = world.received.findLast(({ url }) => url.includes('pager'));
  expect(last?.body).toContain('"Acknowledged: Current value of 9 is above');
});

test('a crash before any write sends the escalation once and closes it once', async () => {
  for (let step = 1; step < 40; step += 3) {
    world.close();
    await start();
    await createEscalation();
    for (const high of ['a', 'a', 'a', 'a', 'a', '', '']) await pass(high, step);
    await pass('');
    expect([step, sentMessages('chat'), sentMessages('pager')]).toEqual([step, '+a -a', '+a -a']);
  }
});

test('an open group is notified again after the interval, unless it is acknowledged', async () => {
  const notifierIds = [await receiver('chat')];
  const { id } = await createMonitor({ renotifyMinutes: 3, notifierIds });
  const count = () => world.received.length;
  for (const high of ['a', 'a', 'a']) await pass(high);
  expect(count()).toBe(1);
  for (const high of ['a', 'a', 'a']) await pass(high);
  expect(count()).toBe(2);
  await world.alerts.states.acknowledge(id, () => true, { by: 'usr_1' });
  for (const high of ['a', 'a', 'a', 'a']) await pass(high);
  expect(count()).toBe(2);
  await pass('');
  expect(sentMessages('chat')).toBe('+a -a');
});

test('an inhibited monitor is silent while the other is open; open groups notify afterwards', async () => {
  const notifierIds = [await receiver('chat')];
  const other = await createMonitor({ aplQuery: 'p by', threshold: 8 });
  const quiet = await createMonitor({ inhibitedBy: [other.id], notifierIds });
  const low = (): void => world.arrive({ time: world.now(), group: 'a', value: 5 });
  low();
  await pass('');
  expect(sentMessages('chat')).toBe('+a');
  // The state of the other monitor counts from its run on.
  for (let i = 0; i < 3; i++) await pass('a');
  expect(sentMessages('chat')).toBe('+a -a');
  expect(await world.alerts.states.status()).toMatchObject([
    { state: 'open' },
    { id: quiet.id, state: 'open', inhibited: true },
  ]);
  for (let i = 0; i < 3; i++) {
    low();
    await pass('');
  }
  expect(sentMessages('chat')).toBe('+a -a +a');
});

test('a composite notifies only while all of its parts are open', async () => {
  const notifierIds = [await receiver('chat')];
  const part = await createMonitor({ aplQuery: 'p by', threshold: 8 });
  await createMonitor({ notifyOnlyWhile: [part.id], notifierIds });
  world.arrive({ time: world.now(), group: 'a', value: 5 });
  await pass('');
  expect(sentMessages('chat')).toBe('');
  for (let i = 0; i < 3; i++) await pass('a');
  expect(sentMessages('chat')).toBe('+a');
});
