import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nullSource } from '@millrace/alerts/testing/null-source';
import { singleNode } from '../nodes/single-node.js';
import { openSqlite } from '../sqlite.js';
import type { RunningServer } from '@millrace/server/startup/types';
import { unusedDependency } from '@millrace/server/testing/every-route';
import { startServer } from '@millrace/server/startup/server';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { MemoryData } from '../testing/memory-data.js';

/**
 * Datasets whose events cannot be removed on deletion, or that have no place: a server finishes
 * that, at its start and while it runs. A stop during retention, and the effect of a wrong clock on
 * it.
 */

const adminToken = `xapt-${randomUUID()}`;
let directory: string;
let runningServer: RunningServer | undefined;
let warnings: string[];
let data: MemoryData;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-deletions-'));
  [runningServer, warnings, data] = [undefined, [], new MemoryData()];
});
afterEach(async () => {
  await runningServer?.stop();
  rmSync(directory, { recursive: true });
});

async function start(settings: Partial<Settings> = {}, clock: () => number = Date.now): Promise<void> {
  runningServer = undefined;
  runningServer = await startServer({
    settings: defaultSettings({ port: 0, dataDir: join(directory, 'data'), adminToken, ...settings }),
    logger: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }),
    takeDirectory: async ({ dataDir }) => ({
      metadata: { sqlite: openSqlite(join(dataDir, 'metadata.sqlite')) },
      node: singleNode('0.0.0'),
      openEvents: async () => ({
        data,
        routes: [],
        monitored: { source: nullSource, checkQuery: async () => {}, translate: () => undefined },
        checks: { view: async () => {}, expression: async () => {} },
        translate: () => undefined,
        audit: () => {},
        sinkOf: () => () => Promise.reject(new Error('unused')),
        shared: unusedDependency(),
        writeMetrics: () => async () => {},
        close: async () => {},
      }),
      release: async () => {},
    }),
    showToken: () => true,
    clock,
  });
}

async function send(method: string, path: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(runningServer!.url + path, { method, headers, ...given })).status;
}
const create = (name: string) => send('POST', '/v2/datasets', { name });
const remove = (name: string) => send('DELETE', `/v2/datasets/${name}`);
/** Names of the datasets that have events. */
const places = (): readonly string[] => [...data.places.values()].map(({ name }) => name);

test('deletions that a crash interrupted are finished at the start', async () => {
  await start();
  await create('logs');
  data.failure = new Error('the engine is gone');
  expect(await remove('logs')).toBe(500);
  expect(places()).toContain('logs');
  await runningServer?.stop();
  await start();
  expect(places()).not.toContain('logs');
});

test('a deletion that the engine could not take part in is finished when it can, without a start', async () => {
  await start({ retentionInterval: 20 });
  await create('logs');
  data.failure = new Error('the engine is gone');
  expect(await remove('logs')).toBe(500);
  await expect.poll(places).not.toContain('logs');
});

test('a dataset without a place gets one, without a start', async () => {
  await start({ retentionInterval: 20 });
  await create('logs');
  data.places.clear();
  await expect.poll(places).toContain('logs');
});

test('a deletion that goes on failing is warned of', async () => {
  await start({ retentionInterval: 20 });
  await create('logs');
  data.deleteDataset = () => Promise.reject(new Error('the engine is gone'));
  expect(await remove('logs')).toBe(500);
  await expect
    .poll(() => warnings)
    .toContainEqual(expect.stringMatching(/the engine is gone.*could not delete the events of a deleted dataset/));
});

test('a deletion that goes on failing keeps neither a start nor other deletions, and is tried again', async () => {
  await start();
  for (const name of ['stuck', 'logs']) {
    await create(name);
    data.failure = new Error('the engine is gone');
    expect(await remove(name)).toBe(500);
  }
  await runningServer?.stop();
  const works = data.deleteDataset.bind(data);
  data.deleteDataset = (dataset) =>
    dataset.name === 'stuck' ? Promise.reject(new Error('its files cannot be removed')) : works(dataset);
  warnings = [];
  await start({ retentionInterval: 20 });
  expect(places()).toContain('stuck');
  expect(places()).not.toContain('logs');
  expect(warnings[0]).toMatch(/"dataset":"stuck".*cannot be removed.*could not delete the events of a deleted dataset/);
  expect(warnings.join()).not.toContain('"logs"');
  data.deleteDataset = works;
  await expect.poll(places).not.toContain('stuck');
});

describe('a stop while old events are being removed', () => {
  const createKept = (name: string) =>
    send('POST', '/v2/datasets', { name, useRetentionPeriod: true, retentionDays: 1 });
  async function stop(): Promise<void> {
    const stopping = runningServer;
    runningServer = undefined;
    await stopping?.stop();
  }

  test('does not affect other datasets', async () => {
    await start({ retentionInterval: 20 });
    const ends: (() => void)[] = [];
    data.deletions.expire = () => new Promise<number>((resolve) => ends.push(() => resolve(1)));
    for (const name of ['a', 'b']) await createKept(name);
    await expect.poll(() => ends.length).toBe(1);
    // The first dataset may have been the only one when the call began.
    ends[0]!();
    await expect.poll(() => ends.length).toBe(2);
    const stopped = stop();
    ends[1]!();
    await stopped;
    expect(ends).toHaveLength(2);
  });

  test('takes no requests, and waits for so long and no longer', async () => {
    await start({ retentionInterval: 20, shutdownTimeout: 300 });
    let trims = 0;
    data.deletions.expire = () => new Promise<number>(() => trims++);
    await createKept('logs');
    await expect.poll(() => trims).toBe(1);
    const { url } = runningServer!;
    let over = false;
    const stopped = stop().then(() => (over = true));
    const outcome = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 'closed',
      );
    await expect.poll(outcome).toBe('closed');
    expect(over).toBe(false);
    await stopped;
  });
});

test('a clock that is set far ahead while the server runs makes no young events pass their retention', async () => {
  let ahead = 0;
  await start({ retentionInterval: 20 }, () => Date.now() + ahead);
  const before = BigInt(Date.now()) * 1_000_000n;
  await send('POST', '/v2/datasets', { name: 'logs', useRetentionPeriod: true, retentionDays: 1 });
  ahead = Date.UTC(2099, 0) - Date.now();
  const { length } = data.trims;
  await expect.poll(() => data.trims.length).toBeGreaterThan(length + 1);
  for (const { olderThan } of data.trims) expect(olderThan).toBeLessThan(before);
  expect(warnings.filter((line) => line.includes('the clock is ahead'))).toHaveLength(1);
});

test('a retention that is lengthened or switched off while deletions of other datasets run removes no events any more', async () => {
  await start({ retentionInterval: 20 });
  const expire = data.deletions.expire.bind(data.deletions);
  let letGo = (): void => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  let begun = 0;
  data.deletions.expire = async (dataset, olderThan) => {
    if (dataset.name === 'a') {
      begun++;
      await released;
    }
    return expire(dataset, olderThan);
  };
  for (const name of ['c', 'b', 'a'])
    await send('POST', '/v2/datasets', { name, useRetentionPeriod: true, retentionDays: 1 });
  await expect.poll(() => begun).toBe(1);
  data.trims.length = 0;
  for (const name of ['a', 'b']) await send('PUT', `/v2/datasets/${name}`, { retentionDays: 60 });
  await send('PUT', '/v2/datasets/c', { useRetentionPeriod: false });
  letGo();
  await expect.poll(() => new Set(data.trims.map(({ name }) => name)).size).toBe(2);
  const days = BigInt(50 * 86_400) * 1_000_000_000n;
  for (const { olderThan } of data.trims) expect(olderThan).toBeLessThan(BigInt(Date.now()) * 1_000_000n - days);
  expect(data.trims.map(({ name }) => name)).not.toContain('c');
});
