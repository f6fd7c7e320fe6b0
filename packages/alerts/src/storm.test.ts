import { expect, test } from 'vitest';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { openAtReceivers } from './testing/receiver-model.js';
import { storedMonitor } from './testing/monitors.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';

/** A storm at a slow receiver, on a simulated clock. */

const second = 1000;
const minute = 60 * second;
const groups = 1500;
const otherMonitors = 30;

test('in a storm a critical page leaves within 10 s, and few messages close everything', async () => {
  const world = await simulatedWorld(randomOf(1), { monitorGroups: 2 * groups, notifyPerMinute: 30 });
  world.calmDown();
  world.slowDown(second);
  const properties = { pagerduty: { routingKey: 'k' } };
  const notifier = await world.metadata.notifiers.create({
    name: 'pages',
    properties,
    createdAt: '',
    createdBy: '',
    updatedAt: '',
  });
  const start = world.now();
  const create = async (changes: Partial<StoredMonitor>, after = 0): Promise<StoredMonitor> => {
    const createdAt = new Date(start + after).toISOString();
    const { id: _, ...draft } = storedMonitor({
      threshold: 3,
      rangeMinutes: 1,
      createdAt,
      notifierIds: [notifier.id],
      ...changes,
    });
    return world.metadata.monitors.create(draft);
  };
  const storm = await create({ name: 'hosts', aplQuery: 'hosts by', notifyByGroup: true });
  for (let n = 0; n < otherMonitors; n++) await create({ name: `m${n}`, aplQuery: `q${n}` });
  // By then the notifier has used up its burst.
  const decided = 20 * second;
  const critical = await create({ name: 'critical', aplQuery: 'critical', severity: 'critical' }, decided);
  for (let n = 0; n < groups; n++) world.arrive({ time: start - second, group: `h${n}`, value: 9 });

  let pagedAt: number | undefined;
  let receivedBefore = 0;
  let maxOpen = 0;
  let listed = 0;
  for (let waited = 0; waited < 5 * minute; waited += second) {
    await world.proceed(second);
    const { openGroups, openGroupCount } = (await world.alerts.states.status()).find(({ id }) => id === storm.id)!;
    if (openGroupCount === groups) listed = openGroups.length;
    maxOpen = Math.max(maxOpen, openAtReceivers(world.received).incidents.size);
    if (world.received.some(({ body }) => body.includes(`millrace-${critical.id}`))) pagedAt ??= world.now();
    else receivedBefore = world.received.length;
  }
  expect(pagedAt).toBeGreaterThanOrEqual(start + decided);
  expect(pagedAt).toBeLessThanOrEqual(start + decided + 10 * second);
  // Others still waited.
  expect(receivedBefore).toBeLessThan(otherMonitors);
  expect(maxOpen).toBeGreaterThan(20);
  // A run with many groups writes few annotations.
  expect(await world.metadata.annotations.list()).toHaveLength(20 + otherMonitors + 1);
  expect(listed).toBe(100);
  expect([...openAtReceivers(world.received).incidents]).toEqual([]);
  expect(world.received.length).toBeLessThanOrEqual(2 * (otherMonitors + 2));
  const { database } = world.metadata;
  expect(await database.selectFrom('receiver_states').select('monitor_id').where('due', '=', 1).execute()).toEqual([]);
  world.close();
});
