import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { incidentReference } from '../outbox/links.js';
import type { Notification } from '../outbox/notification.js';
import { storedMonitor } from '../testing/monitors.js';
import { randomOf, simulatedWorld } from '../testing/simulation.js';
import { incidentAt, incidentsIn } from './incidents.js';

/** Incidents as they are shown the next morning, and the references in messages. */

const minute = 60_000;
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
    createdAt: '',
    createdBy: '',
    updatedAt: '',
  });
  const { id: _, ...draft } = storedMonitor({
    aplQuery: 'q by',
    notifyByGroup: true,
    threshold: 3,
    rangeMinutes: 1,
    createdAt: new Date(world.now()).toISOString(),
    notifierIds: [notifier.id],
    ...changes,
  });
  return world.metadata.monitors.create(draft);
}

/** Passes a minute, in which these groups have a high value. */
async function pass(...high: readonly string[]): Promise<void> {
  for (const group of high) world.arrive({ time: world.now(), group, value: 9 });
  world.advance(minute);
  await world.settle();
}

const sentNotifications = async (): Promise<readonly Notification[]> =>
  (await world.metadata.database.selectFrom('notifications').select('notification').orderBy('position').execute()).map(
    ({ notification }) => JSON.parse(notification) as Notification,
  );
const at = (monitor: StoredMonitor, reference: string) => incidentAt(monitor, reference, world.metadata);

describe('an incident of a group', () => {
  test('has what opened it, its notifications with attempts, and other openings', async () => {
    const monitor = await createMonitor();
    await pass('a');
    await pass('a', 'b');
    await pass('b');
    const all = await incidentsIn({ startTime: '2000-01-01T00:00:00Z' }, world.now(), new Set([monitor.id]), world.metadata.database); // prettier-ignore
    expect(all.map(({ name, closedAt }) => [name, closedAt !== undefined])).toEqual([
      [`${monitor.name} (b)`, false],
      [`${monitor.name} (a)`, true],
    ]);
    const [b, a] = all;
    const incident = await at(monitor, a!.id);
    expect(incident).toMatchObject({
      ...a,
      keys: ['g'],
      values: ['a'],
      value: 9,
      text: 'Current value of 9 is above the threshold value of 3',
      position: expect.stringMatching(/^\d+$/),
      edited: false,
      others: [{ id: b!.id }],
    });
    expect(Date.parse(incident.end) - Date.parse(incident.start)).toBe(minute);
    expect(incident.deliveries.map(({ action, state, attempts }) => [action, state, attempts])).toEqual([
      ['Open', 'delivered', [expect.objectContaining({ outcome: 'delivered', status: 200 })]],
      ['Closed', 'delivered', [expect.objectContaining({ outcome: 'delivered', status: 200 })]],
    ]);
    expect((await at({ ...monitor, threshold: 4 }, a!.id)).edited).toBe(true);
  });

  test('is what its messages refer to, the first and the last', async () => {
    const monitor = await createMonitor();
    await pass('a');
    await pass('a', 'b');
    await pass();
    const [first] = await incidentsIn({ startTime: '2000-01-01T00:00:00Z' }, world.now(), new Set([monitor.id]), world.metadata.database).then((all) => all.toReversed()); // prettier-ignore
    const messages = await sentNotifications();
    const named = await Promise.all(messages.map(async (each) => (await at(monitor, incidentReference(each)!)).name));
    expect(messages.map(({ action }, i) => `${action} ${named[i]}`)).toEqual([
      `Open ${monitor.name} (a)`,
      `Open ${monitor.name} (b)`,
      `Closed ${monitor.name} (a)`,
    ]);
    expect((await at(monitor, incidentReference(messages[0]!)!)).id).toBe(first!.id);
  });

  test('keeps every attempt while its receiver is away', async () => {
    const monitor = await createMonitor();
    world.leave(true);
    for (let i = 0; i < 3; i++) await pass('a');
    const [one] = await incidentsIn({ startTime: '2000-01-01T00:00:00Z' }, world.now(), new Set([monitor.id]), world.metadata.database); // prettier-ignore
    const { deliveries } = await at(monitor, one!.id);
    const [delivery] = deliveries;
    expect(delivery).toMatchObject({ state: 'waiting', nextTry: expect.any(String) });
    expect(delivery!.attempts.length).toBe(delivery!.tries);
    expect(delivery!.attempts[0]).toMatchObject({ outcome: 'later', status: 503, problem: expect.any(String) });
  });
});

test.each(['0', '1', 'x', '-1', '9999999999999-abc', '99999999999999999'])('%s is no incident', async (reference) => {
  const monitor = await createMonitor();
  await expect(at(monitor, reference)).rejects.toThrow(`incident '${reference}' not found`);
});

test('an event that matched is an incident of its run', async () => {
  const monitor = await createMonitor({ type: 'MatchEvent' });
  await pass();
  await pass('a');
  const [message] = await sentNotifications();
  const incident = await at(monitor, incidentReference(message!)!);
  expect(incident).toMatchObject({ text: 'An event matched', value: 1, deliveries: [{ state: 'delivered' }] });
  expect(incident).not.toHaveProperty('closedAt');
});

test('a monitor that is not readable has none', async () => {
  await createMonitor();
  await pass('a');
  expect(await incidentsIn({ startTime: '2000-01-01T00:00:00Z' }, world.now(), new Set(), world.metadata.database)).toEqual([]); // prettier-ignore
});
