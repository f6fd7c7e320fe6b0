import { expect, test } from 'vitest';
import { changesOf, runsOf } from './state/records.js';
import { storedMonitor } from './testing/monitors.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';

/** Two processes that share monitors: one runs them, then the other, and for a moment both do. */

const minute = 60_000;
const authorship = { createdAt: '', createdBy: '', updatedAt: '' };

test('monitors continue on another process; two processes send each notification once', async () => {
  const leading = { first: true, second: false };
  const world = await simulatedWorld(
    randomOf(1),
    { nodes: 'shared' },
    () => [],
    () => leading.first,
  );
  world.calmDown();
  const second = await world.another(() => leading.second);
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
  });
  const { id } = await world.metadata.monitors.create(draft);
  const pass = async (): Promise<void> => {
    world.advance(minute);
    // Each knows only its own decisions. Sequential, because they share a connection here.
    for (const each of [world.alerts, second, world.alerts, second]) {
      await each.tick();
      await each.idle();
    }
  };
  const sentActions = (): readonly string[] =>
    world.received.map(({ body }) => (JSON.parse(body) as { readonly action: string }).action);
  const arrive = (value: number): void => world.arrive({ time: world.now(), group: 'a', value });

  await pass();
  expect(await runsOf(id, world.metadata.database)).toHaveLength(1);
  arrive(9);
  await pass();
  expect(sentActions()).toEqual(['Open']);
  // The node that is not the leader reads their states from the metadata.
  expect((await second.states.status())[0]).toMatchObject({ state: 'open' });

  leading.first = false;
  leading.second = true;
  await pass();
  expect(sentActions()).toEqual(['Open', 'Closed']);
  expect((await world.alerts.states.status())[0]).toMatchObject({ state: 'ok' });

  // A stalled node does not know yet that another one is the leader.
  leading.first = true;
  arrive(9);
  await pass();
  await pass();
  const runs = await runsOf(id, world.metadata.database);
  expect(runs.map(({ time }) => time)).toEqual([...new Set(runs.map(({ time }) => time))]);
  const changes = await changesOf(id, { from: 0, to: world.now() }, world.metadata.database);
  expect(changes.map(({ state }) => state)).toEqual(['open', 'closed', 'open', 'closed']);
  // Delivery is at least once, as after a kill: a notification has the same ID on every node.
  const ids = await world.metadata.database.selectFrom('notifications').select('id').execute();
  expect(ids).toHaveLength(4);
  world.close();
});
