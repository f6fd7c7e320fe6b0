import { expect, test } from 'vitest';
import { Metrics } from '@millrace/http/metrics';
import { healthOf } from './health.js';
import { randomOf, simulatedWorld } from './testing/simulation.js';

test('refusals and failures are reported in words, refusals once', () => {
  const metrics = new Metrics();
  let reasons: readonly string[] = [];
  let [free, pending] = [1000, 0];
  metrics.gauge('disk_free_bytes', () => free);
  metrics.gauge('flush_pending_bytes', () => pending);
  const data = { health: () => ({ ready: true, acknowledges: true, complete: true, reasons }) };
  const health = healthOf({ data, metrics, settings: { diskReserveBytes: 100, maxPendingBytes: 100 } });
  expect(health()).toEqual([]);
  metrics.count('http_refusals_total', 3, { code: 'disk-full' });
  metrics.count('http_refusals_total', 1, { code: 'forbidden' });
  expect(health()).toEqual(['3 requests were refused in the last minute because nothing could be stored']);
  expect(health()).toEqual([]);
  [reasons, free, pending] = [['engine down'], 199, 51];
  expect(health()).toEqual([
    'engine down',
    'the disk is nearly full: 199 bytes are free',
    'engine is lagging: 51 bytes pending',
  ]);
  metrics.close();
});

test('opens with the reasons, notifies once, closes, and survives a restart in between', async () => {
  let reasons: readonly string[] = [];
  const world = await simulatedWorld(randomOf(1), { healthNotifiers: ['ops'] }, () => reasons);
  world.calmDown();
  const made = { createdAt: '', createdBy: '', updatedAt: '' };
  await world.metadata.notifiers.create({ name: 'ops', properties: { webhook: { url: 'http://a.example' } }, ...made });
  const run = async (now: readonly string[]): Promise<void> => {
    reasons = now;
    world.advance(61_000);
    await world.settle();
  };
  await run([]);
  await run(['engine down', 'the disk is full']);
  await run(['engine down']);
  await world.restart();
  await run(['engine down']);
  await run([]);
  const notifications = world.received.map(
    ({ body }) => JSON.parse(body) as { action: string; event: { body: string } },
  );
  expect(notifications.map(({ action, event }) => `${action}: ${event.body}`)).toEqual([
    'Open: engine down\nthe disk is full',
    'Closed: Server recovered',
  ]);
  const { state, runs, notifierIds } = await world.alerts.states.ownHealth();
  expect([state, notifierIds.length]).toEqual(['ok', 1]);
  expect(runs.map((each) => each.error)).toEqual([
    undefined,
    'engine down',
    'engine down',
    'engine down; the disk is full',
    undefined,
  ]);
  world.close();
});

test('is kept without a notification', async () => {
  const world = await simulatedWorld(randomOf(1), {}, () => ['engine down']);
  world.calmDown();
  world.advance(61_000);
  await world.settle();
  expect(await world.alerts.states.ownHealth()).toMatchObject({
    state: 'open',
    notifierIds: [],
    runs: [{ error: 'engine down' }],
  });
  world.close();
});
