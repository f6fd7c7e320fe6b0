import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WriteNotifier } from '@millrace/api/schemas/notifier';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';
import { isGathering } from './grouping.js';

/** Messages that wait for further changes. */

const second = 1000;
const minute = 60 * second;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

let world: Awaited<ReturnType<typeof simulatedWorld>>;
beforeEach(async () => {
  world = await simulatedWorld(randomOf(1));
  world.calmDown();
});
afterEach(() => world.close());

async function watch(grouping: Partial<WriteNotifier>): Promise<void> {
  const properties = { webhook: { url: 'http://chat.example' } };
  const { id } = await world.metadata.notifiers.create({ name: 'chat', properties, ...grouping, ...authorship });
  const createdAt = new Date(world.now()).toISOString();
  const about = { aplQuery: 'q by', notifyByGroup: true, threshold: 3, rangeMinutes: 1, notifierIds: [id] };
  const { id: _, ...draft } = storedMonitor({ ...about, createdAt });
  await world.metadata.monitors.create(draft);
}
/** A minute in which these groups have a high value, and half of the next one. */
async function pass(high: string): Promise<void> {
  for (const group of high) world.arrive({ time: world.now() + 30 * second, group, value: 9 });
  for (let n = 0; n < 2; n++) {
    world.advance(30 * second);
    await world.settle();
  }
}
/** `+ab` opened, `-a` closed. */
const sentChanges = (): readonly string[] =>
  world.received.map(({ body }) => {
    const { action, event } = JSON.parse(body) as {
      readonly action: string;
      readonly event: { readonly body: string };
    };
    return `${action === 'Open' ? '+' : '-'}${[...event.body.matchAll(/\(g: (\w)\)/g)].map(([, group]) => group).join('')}`;
  });

test('without grouping each run sends what has changed', async () => {
  await watch({});
  for (const high of ['a', 'ab', 'b']) await pass(high);
  expect(sentChanges()).toEqual(['+a', '+b', '-a']);
});

test('changes during the wait are one message; an incident that ends during it sends none', async () => {
  await watch({ groupWaitSeconds: 150 });
  for (const high of ['a', 'ab', 'bc', 'bc', 'bc']) await pass(high);
  expect(sentChanges()).toEqual(['+bc']);
});

test('messages about a monitor have their distance, also after a restart', async () => {
  await watch({ groupIntervalMinutes: 5 });
  for (const high of ['a', 'ab', 'abc', 'abcd']) await pass(high);
  expect(sentChanges()).toEqual(['+a']);
  await world.restart();
  for (const high of ['abcd', 'abcd', 'abcd']) await pass(high);
  expect(sentChanges()).toEqual(['+a', '+bcd']);
});

const chat = { properties: { webhook: { url: 'http://chat.example' } } };
const pager = { properties: { pagerduty: { routingKey: 'k' } } };
test.each([
  ['none', chat, { since: 0, last: 0 }, false],
  ['within the wait', { ...chat, groupWaitSeconds: 11 }, { since: 0, last: undefined }, true],
  ['after the wait', { ...chat, groupWaitSeconds: 10 }, { since: 0, last: undefined }, false],
  ['a clock that was set back', { ...chat, groupWaitSeconds: 10 }, { since: minute, last: minute }, false],
  ['within the interval', { ...chat, groupIntervalMinutes: 1 }, { since: 0, last: 0 }, true],
  ['an interval at PagerDuty', { ...pager, groupIntervalMinutes: 1 }, { since: 0, last: 0 }, false],
])('gathering: %s', (_, notifier, pending, expected) =>
  expect(isGathering(notifier, pending, 10 * second)).toBe(expected),
);
