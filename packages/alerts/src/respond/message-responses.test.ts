import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';
import { linkToken, readLinkToken } from './link-token.js';

/** Links in messages by which receivers acknowledge and snooze. */

const minute = 60_000;
const hour = 60 * minute;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => {
  world = await simulatedWorld(randomOf(1), { consoleUrl: 'https://logs.example.com', messageLinks: 2 * hour });
  world.calmDown();
});
afterEach(() => world.close());

async function pass(high: string): Promise<void> {
  for (const group of high) world.arrive({ time: world.now(), group, value: 9 });
  world.advance(minute);
  await world.settle();
}
const links = (): readonly string[] =>
  world.received.flatMap(({ body }) =>
    [...body.matchAll(/https:\/\/logs\.example\.com\/console\/respond\/([\w.-]+)/g)].map(([, token]) => token!),
  );

async function fireMonitor(high: string): Promise<{ readonly id: string; readonly token: string }> {
  const properties = { slack: { slackUrl: 'http://chat.example' } };
  const notifier = await world.metadata.notifiers.create({ name: 'chat', properties, ...authorship });
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q by',
    notifyByGroup: true,
    threshold: 3,
    rangeMinutes: 1,
    createdAt: new Date(world.now()).toISOString(),
    notifierIds: [notifier.id],
  });
  const { id } = await world.metadata.monitors.create(draft);
  await pass(high);
  return { id, token: links().at(-1)! };
}

const key = Buffer.alloc(32, 1);
const token = linkToken(key, 'mon_1-ab-notify_1', 5000);

const nextOf = (digit: string): string => String.fromCharCode(digit.charCodeAt(0) + 1);

test.each([
  ['its own', token, key, 4999, { kind: 'valid', notification: 'mon_1-ab-notify_1' }],
  ['expired', token, key, 5000, { kind: 'expired' }],
  ['of another key', token, Buffer.alloc(32, 2), 0, { kind: 'invalid' }],
  ['with a later expiry', token.replace('.5.', '.zzzzz.'), key, 0, { kind: 'invalid' }],
  ['shortened', token.slice(0, -1), key, 0, { kind: 'invalid' }],
  // The last character has bits that decode to nothing.
  ['in another spelling', `${token.slice(0, -1)}${nextOf(token.at(-1)!)}`, key, 0, { kind: 'invalid' }],
  ['no token', 'x', key, 0, { kind: 'invalid' }],
])('a token: %s', (_, given, by, now, expected) => expect(readLinkToken(by, given, now)).toEqual(expected));

test('acknowledges the open groups of the message, and no later incident of them', async () => {
  const { id, token: first } = await fireMonitor('ab');
  expect(await world.alerts.responses.read(first)).toMatchObject({ open: ['g: a', 'g: b'], acknowledged: [] });
  expect(await world.metadata.acknowledgments.list()).toEqual([]);
  await pass('abc');
  const { open, acknowledged } = await world.alerts.responses.acknowledge(first, 'Ann');
  expect([open, acknowledged.map(({ name, by, through }) => [name, by, through])]).toEqual([
    ['g: a', 'g: b'],
    [
      ['Ann', '', expect.stringMatching(/^notify_/)],
      ['Ann', '', expect.stringMatching(/^notify_/)],
    ],
  ]);
  const status = (await world.alerts.states.status()).find((one) => one.id === id);
  expect(status?.openGroups.map(({ values, acknowledged: done }) => [values, done?.name])).toEqual([
    [['a'], 'Ann'],
    [['b'], 'Ann'],
    [['c'], undefined],
  ]);
  await pass('');
  await pass('a');
  expect(await world.alerts.responses.read(first)).toMatchObject({ open: [], acknowledged: [] });
});

test('snoozes its groups with silences of an end', async () => {
  const { id, token: first } = await fireMonitor('ab');
  expect(await world.alerts.responses.snooze(first, 60, '')).toHaveLength(2);
  expect(await world.metadata.silences.list()).toMatchObject([
    { monitorIds: [id], groups: { g: 'a' }, reason: 'Snoozed through a message to chat' },
    { monitorIds: [id], groups: { g: 'b' }, endTime: new Date(world.now() + hour).toISOString() },
  ]);
  await pass('');
  expect(await world.alerts.responses.snooze(first, 60, '')).toEqual([]);
});

test('works for its time, and while monitor and notifier exist', async () => {
  const { id, token: first } = await fireMonitor('a');
  world.advance(2 * hour);
  await expect(world.alerts.responses.read(first)).rejects.toMatchObject({ code: 'not-found' });
  world.advance(-hour);
  await world.alerts.responses.read(first);
  await world.metadata.monitors.delete(id);
  await expect(world.alerts.responses.acknowledge(first, '')).rejects.toMatchObject({ code: 'not-found' });
});

test('closings have no link', async () => {
  await fireMonitor('a');
  await pass('');
  expect([world.received.length, links().length]).toEqual([2, 1]);
});
