import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { refusingEngine } from '@millrace/storage/testing/rejecting-engine';
import { openReceiver, type Receiver } from './testing/receiver.js';

/** Monitors on a real engine, with a clock that the tests advance. */

const minute = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), 'millrace-late-'));
const settings = { dataDir, adminToken: 'xapt-00000000-0000-4000-8000-000000000002', notifyPrivateAddresses: true };
let ahead = 0;
const clock = (): number => Date.now() + ahead;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Notified events in order, by key: a shutdown during a delivery causes duplicates. */
const sentTexts = (): readonly string[] => {
  const byKey = new Map(receiver.received.map(({ key, body }) => [key, body.event.matchedEvent as { text: string }]));
  return [...byKey.values()].map(({ text }) => text);
};
const isNotified = async (...texts: readonly string[]): Promise<void> =>
  await expect.poll(sentTexts, { timeout: 20_000 }).toEqual(texts);

test('a batch that the engine rejected notifies exactly once after it is stored', async () => {
  const first = await openEngineTestServer(settings, refusingEngine('bad'), clock);
  await first.dataset('logs', [{ text: 'before' }]);
  const { body } = await first.send<{ id: string }>('POST', '/v2/notifiers', {
    name: 'n',
    properties: { webhook: { url: receiver.urlOf('/late') } },
  });
  const aplQuery = "logs | where text != ''";
  await first.send('POST', '/v2/monitors', { name: 'm', type: 'MatchEvent', aplQuery, notifierIds: [body.id] });
  await first.ingest('logs', [{ text: 'one' }]);
  await first.ingest('logs', [{ text: 'bad' }]);
  await first.ingest('logs', [{ text: 'two' }]);
  ahead += minute;
  await isNotified('one', 'two');
  await first.close();

  const second = await openEngineTestServer(settings, undefined, clock);
  await expect
    .poll(async () => (await second.apl('logs | count')).tables[0]!.columns, { timeout: 20_000 })
    .toEqual([[4]]);
  ahead += minute;
  await isNotified('one', 'two', 'bad');
  await second.ingest('logs', [{ text: 'three' }]);
  ahead += minute;
  await isNotified('one', 'two', 'bad', 'three');
  await second.close();
}, 120_000);

test('a dataset that is deleted under a monitor: it stays, says so, and goes on when there is one of that name', async () => {
  const world = await openEngineTestServer({ ...settings, dataDir: join(dataDir, 'deleted') }, undefined, clock);
  await world.dataset('short', [{ n: 5 }]);
  const monitor = { name: 'm', type: 'Threshold', operator: 'Above', threshold: 4, rangeMinutes: 60 };
  const made = await world.send<{ id: string }>('POST', '/v2/monitors', {
    ...monitor,
    aplQuery: 'short | summarize max(n)',
  });
  const newest = async () =>
    (await world.send<{ state: string; error?: string }[]>('GET', `/v2/monitors/${made.body.id}/runs`)).body[0];
  await expect.poll(newest, { timeout: 20_000 }).toMatchObject({ state: 'open' });
  await world.send('DELETE', '/v2/datasets/short');
  ahead += minute;
  await expect.poll(newest, { timeout: 20_000 }).toMatchObject({ error: expect.stringContaining('short') });
  const status = async () => (await world.send<object[]>('GET', '/v2/monitors/_status')).body[0];
  // A failure neither opens nor closes.
  expect(await status()).toMatchObject({ state: 'open', error: expect.stringContaining('short') });
  await world.dataset('short', [{ n: 1 }]);
  ahead += minute;
  await expect.poll(status, { timeout: 20_000 }).toMatchObject({ state: 'ok' });
  await world.close();
}, 120_000);

test('a run of a match reads what has come since the last one, and not the whole dataset', async () => {
  const world = await openEngineTestServer({ ...settings, dataDir: join(dataDir, 'large') }, undefined, clock);
  const batch = (from: number) => Array.from({ length: 20_000 }, (_, i) => ({ n: from + i, text: 'x' }));
  await world.dataset('large', batch(0));
  for (const from of [20_000, 40_000, 60_000]) await world.ingest('large', batch(from));
  await world.send('POST', '/v2/monitors', { name: 'm', type: 'MatchEvent', aplQuery: 'large | where n < 0' });
  const figure = async (name: string) =>
    Number(new RegExp(`^millrace_${name} (\\d+)`, 'm').exec((await world.send('GET', '/metrics')).text)?.[1] ?? 0);
  const runs = () => figure('monitor_runs_total{outcome="ok"}'.replace(/[{}]/g, String.raw`\$&`));
  await expect.poll(runs, { timeout: 20_000 }).toBeGreaterThan(0);
  await world.ingest('large', [{ n: 1, text: 'y' }]);
  await world.apl('large | count');
  const [read, made] = [await figure('query_rows_read_total'), await runs()];
  ahead += minute;
  // The monitor, and the health monitor, which reads nothing. Rows are read in granules of 8192, so
  // a few more than 80,001 are read.
  await expect.poll(runs, { timeout: 20_000 }).toBeGreaterThanOrEqual(made + 2);
  expect((await figure('query_rows_read_total')) - read).toBeLessThan(40_000);
  await world.close();
}, 120_000);
