import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredSource } from '@millrace/api/schemas/source';
import { Metrics } from '@millrace/http/metrics';
import { defaultSettings } from '@millrace/http/settings/settings';
import { inMemory } from '@millrace/metadata/sqlite';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import type { Batch } from '../run/batch.js';
import { MemoryBucket } from '../testing/memory-bucket.js';
import { SourceRunner } from './source-runner.js';

let bucket: MemoryBucket;
let metadata: Metadata;
let source: StoredSource;
let runners: SourceRunner[] = [];
const batches: Batch[] = [];

beforeEach(async () => {
  batches.length = 0;
  bucket = new MemoryBucket();
  const endpoint = await bucket.open();
  metadata = await openMetadata(inMemory);
  await metadata.users.owner();
  const user = await metadata.users.create({ email: 'a@example.com', name: 'a', role: 'user' });
  const now = new Date().toISOString();
  source = await metadata.sources.create({
    name: 's',
    dataset: 'logs',
    properties: { bucket: { bucket: 'b', endpoint, pollSeconds: 1 } },
    paused: false,
    createdAt: now,
    createdBy: user.id,
    updatedAt: now,
    writtenBy: user.id,
  });
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  runners = [];
  await bucket.close();
  await metadata.close();
});

function runner(isLeader: () => boolean = () => true, sink = store, clock = Date.now): SourceRunner {
  const made = new SourceRunner({
    metadata,
    settings: defaultSettings({ sourcePrivateAddresses: true }),
    metrics: new Metrics(),
    logger: pino({ level: 'silent' }),
    clock,
    node: { isLeader },
    sinkOf: () => sink,
  });
  runners.push(made);
  return made;
}

const store = async (batch: Batch) => {
  batches.push(batch);
  return { ingested: 1, failed: 0, failures: [] };
};
const put = (key: string): void => void bucket.objects.set(key, Buffer.from(`{"of":"${key}"}\n`));

test('a source runs, its status survives a restart, and objects are not read again', async () => {
  put('a');
  const first = runner();
  await first.reconcile();
  await expect.poll(async () => (await first.status(source)).events).toBe(1);
  await first.close();
  put('b');
  const second = runner();
  await second.reconcile();
  await expect.poll(async () => (await second.status(source)).events).toBe(2);
  expect(batches.map(({ position }) => position)).toEqual(['a part 1', 'b part 1']);
  expect(await runner(() => false).status(source)).toMatchObject({ events: expect.any(Number) as number });
});

test('an object that left the bucket is remembered for sourceObjectMemory, one in it for ever', async () => {
  const day = 86_400_000;
  const start = Date.now();
  const { sourceObjectMemory } = defaultSettings();
  /** Runs the source on a later day, until it has read as many objects altogether. */
  const readOn = async (days: number, total: number): Promise<void> => {
    const one = runner(undefined, undefined, () => start + days * day);
    await one.reconcile();
    await expect.poll(() => batches.length).toBe(total);
    await one.close();
  };
  put('a');
  put('b');
  await readOn(0, 2);
  bucket.objects.delete('a');
  put('c');
  await readOn(sourceObjectMemory / day - 1, 3);
  put('a');
  put('d');
  await readOn(sourceObjectMemory / day, 4);
  expect(await metadata.sourceObjects.count(source.id)).toBe(4);
  bucket.objects.delete('a');
  put('e');
  await readOn((2 * sourceObjectMemory) / day + 2, 5);
  expect(await metadata.sourceObjects.count(source.id)).toBe(4);
  put('a');
  await readOn((2 * sourceObjectMemory) / day + 3, 6);
  expect(batches.map(({ position }) => position[0]).join('')).toBe('abcdea');
});

test('only the leader runs it, and a paused source stops', async () => {
  put('a');
  let isLeader = false;
  const one = runner(() => isLeader);
  await one.reconcile();
  expect(batches).toEqual([]);
  isLeader = true;
  await one.reconcile();
  await expect.poll(() => batches.length).toBe(1);
  const paused = await metadata.sources.update(source.id, (present) => ({ ...present, paused: true }));
  await one.reconcile();
  put('b');
  expect(await one.status(paused)).toMatchObject({ state: 'paused' });
  await one.reconcile();
  expect(batches).toHaveLength(1);
});

test('a source stops when the author is removed', async () => {
  const one = runner();
  await one.reconcile();
  await metadata.users.delete(source.writtenBy);
  await one.reconcile();
  put('a');
  await one.reconcile();
  expect(await one.status(source)).toMatchObject({
    state: 'stopped',
    problem: expect.stringContaining('removed') as string,
  });
  expect(batches).toEqual([]);
});

test('a source that cannot store shows why, and stores when it can', async () => {
  put('a');
  let problem: string | undefined = 'dataset missing';
  const one = runner(undefined, async (batch) => {
    if (problem !== undefined) throw new Error(problem);
    return store(batch);
  });
  await one.reconcile();
  await expect
    .poll(async () => one.status(source))
    .toMatchObject({ state: 'failing', problem: 'cannot store events: dataset missing' });
  problem = undefined;
  await expect.poll(async () => one.status(source)).toMatchObject({ state: 'running', events: 1 });
  await metadata.sources.delete(source.id);
  await one.reconcile();
  expect(await metadata.sourceStatuses.find('id', source.id)).toBeUndefined();
});
