import { expect, test } from 'vitest';
import type { StoredMonitor } from '../schemas/monitor.js';
import { changesOf, runsOf } from './state/records.js';
import { storedMonitor } from './testing/monitors.js';
import { modelRuns } from './testing/plain-model.js';
import { randomOf, simulatedWorld } from './testing/simulated-world.js';

/**
 * Hours in which everything goes wrong, against a plain model: what opens and closes is what the
 * model says, and each message arrives at least once and, by its key, exactly once.
 * `SIMULATIONS=2000 npx vitest run packages/server/src/alerts/simulation.test.ts` tries more.
 */

const simulations = Number(process.env['SIMULATIONS'] ?? 8);
const minute = 60_000;

function randomMonitor(random: (below: number) => number, n: number, now: number): Omit<StoredMonitor, 'id'> {
  const chance = (): boolean => random(3) === 0;
  const notifyByGroup = random(2) === 0;
  const triggerFromNRuns = random(4);
  const { id: _, ...monitor } = storedMonitor({
    name: `m${n}`,
    type: n % 4 === 3 ? 'MatchEvent' : 'Threshold',
    aplQuery: `q${n}${notifyByGroup ? ' by' : ''}`,
    operator: chance() ? 'BelowOrEqual' : 'Above',
    threshold: 3 + random(5),
    intervalMinutes: n % 4 === 3 ? 1 : 1 + random(3),
    rangeMinutes: n % 4 === 3 ? 1 : 1 + random(6),
    secondDelay: [0, 30, 120][random(3)]!,
    alertOnNoData: chance(),
    notifyByGroup,
    notifyEveryRun: chance(),
    skipResolved: chance(),
    triggerFromNRuns,
    triggerAfterNPositiveResults: random(triggerFromNRuns + 1),
    notifierIds: [],
    createdAt: new Date(now).toISOString(),
  });
  return monitor;
}

test.each(Array.from({ length: simulations }, (_, i) => i + 1))('simulation %i', async (seed) => {
  const random = randomOf(seed);
  const world = await simulatedWorld(random);
  const written = { createdAt: '', createdBy: '', updatedAt: '' };
  const { id: notifierId } = await world.metadata.notifiers.create({
    name: 'n',
    properties: { webhook: { url: 'http://receiver.example' } },
    ...written,
  });
  const monitors: StoredMonitor[] = [];
  for (let n = 0; n < 6; n++) {
    world.advance(random(50_000));
    const made = { ...randomMonitor(random, n, world.now()), notifierIds: [notifierId] };
    monitors.push(await world.metadata.monitors.create(made));
  }
  for (let i = 0; i < 80; i++) {
    world.advance(random(12) === 0 ? 10 * minute + random(minute) : 1000 + random(90_000));
    for (let n = random(4); n > 0; n--) {
      const late = random(3) === 0 ? random(8 * minute) : random(20_000);
      const event = { time: world.now() - late, group: 'abc'[random(3)]!, value: random(10) };
      // The engine may refuse it, and take it after those that came behind it.
      const held = random(10) === 0 ? random(15 * minute) : 0;
      for (let twice = random(6) === 0 ? 2 : 1; twice > 0; twice--) world.arrive(event, held);
    }
    await world.settle(random(3) === 0 ? 1 + random(120) : 0);
  }
  world.calmDown();
  for (let i = 0; i < 12; i++) {
    world.advance(11 * minute);
    await world.settle();
  }

  const { database } = world.metadata;
  const waiting = await database.selectFrom('notifications').select('id').where('state', '!=', 'delivered').execute();
  expect(waiting).toEqual([]);
  const keys = (monitor: StoredMonitor) =>
    world.received
      .filter(({ body }) => body.includes(`"monitorID":"${monitor.id}"`))
      .map(({ headers }) => headers['idempotency-key'] ?? '');

  for (const monitor of monitors) {
    const times = (await runsOf(monitor.id, database)).map(({ time }) => time).toReversed();
    const created = Date.parse(monitor.createdAt);
    expect(
      times.every(
        (time, i) => (time - created) % (monitor.intervalMinutes * minute) === 0 && (i === 0 || time > times[i - 1]!),
      ),
    ).toBe(true);
    if (monitor.type === 'MatchEvent') {
      const matching = world.events
        .filter(({ value }) => value >= 7)
        .map(({ position }) => `${monitor.id}-${position}-${notifierId}`);
      expect(new Set(keys(monitor))).toEqual(new Set(matching));
      continue;
    }
    const model = modelRuns(monitor, times, world);
    const changes = await changesOf(monitor.id, { from: 0, to: Number.MAX_SAFE_INTEGER }, database);
    const name = (group: string): string => (group === '' ? monitor.name : `${monitor.name} (${group})`);
    const expected = model.flatMap(({ time, opened, closed }) => [
      ...opened.map((group) => `${time} open ${name(group)}`),
      ...closed.map((group) => `${time} closed ${name(group)}`),
    ]);
    expect(
      changes.map((change) => `${Date.parse(change.timestamp)} ${change.state} ${change.name}`).toSorted(),
    ).toEqual(expected.toSorted());
    expect(new Set(keys(monitor)).size).toBe(model.reduce((sum, { messages }) => sum + messages, 0));
  }
  // Something happened at all.
  expect(world.received.length).toBeGreaterThan(20);
  world.close();
});
