import type { Log } from '@millrace/log';
import { expect, it, test } from 'vitest';
import { FieldStore } from './fields/field-store.js';
import { detectLogGap, TruncationCheckpoint, numberOfLog } from './truncation-checkpoint.js';
import { append, type FakeStorageHarness, withHarness } from './testing/fake-harness.js';

const smallSegments = { logSegmentBytes: 4096, maxFrameBytes: 4096, maxLogBytes: 64 * 1024 };

/** A server that filled some files of the log and truncated all but the newest. */
async function fillLog(world: FakeStorageHarness): Promise<void> {
  const storage = await world.open([1]);
  for (let i = 0; i < 60; i++) await append(storage, 1, [1]);
  await storage.close();
}

const checkpointOfLog = async (world: FakeStorageHarness): Promise<bigint | undefined> =>
  (await new FieldStore(world.metadata.database).checkpoints()).get(numberOfLog);

async function startedOver(
  world: FakeStorageHarness,
  remove: (names: readonly string[]) => readonly string[],
): Promise<void> {
  for (const name of remove([...world.files.files().keys()].filter((path) => path.endsWith('.log')).toSorted()))
    await world.files.remove(name);
  await world.crash('kill', 1);
  await (await world.open([1])).close();
}

it('a log whose files are all there is whole, before and after it gave some up', () =>
  withHarness(async (world) => {
    await fillLog(world);
    expect(await checkpointOfLog(world)).toBe(60n);
    await startedOver(world, () => []);
    expect(world.errors).toEqual([]);
  }, smallSegments));

it('each start reports vanished files that were not released, until the log has new ones', () =>
  withHarness(async (world) => {
    await fillLog(world);
    await startedOver(world, (names) => names);
    expect(world.errors).toEqual([expect.stringMatching(/^the files of the log are gone: /)]);
    // New events have positions after all earlier ones.
    const storage = await world.open([1]);
    expect((await append(storage, 1, [1])).position).toBe(61n);
    expect(world.errors).toHaveLength(2);
    await storage.close();
    await startedOver(world, () => []);
    expect(world.errors).toHaveLength(2);
  }, smallSegments));

it('reports metadata older than the released log files', () =>
  withHarness(async (world) => {
    await fillLog(world);
    await new FieldStore(world.metadata.database).checkpoint(numberOfLog, 3n);
    await startedOver(world, () => []);
    expect(world.errors).toEqual([expect.stringMatching(/^metadata.sqlite is older than the log, or/)]);
  }, smallSegments));

it('positions of an append that failed, which are in no file, go with the file before them', async () => {
  const notes: bigint[] = [];
  let firstPosition = 1n;
  const log = { stats: () => ({ segments: 2, firstPosition, lastPosition: 20n }) } as unknown as Log;
  const givenUp = new TruncationCheckpoint(log, { checkpoint: async (_, upTo) => void notes.push(upTo) });
  await givenUp.catchUp();
  await givenUp.note(12n);
  firstPosition = 14n;
  await givenUp.catchUp();
  await givenUp.catchUp();
  expect(notes).toEqual([0n, 12n, 13n]);
});

test.each([
  ['never noted', { segments: 0, firstPosition: 0n, lastPosition: 0n }, undefined, undefined],
  ['all there', { segments: 2, firstPosition: 5n, lastPosition: 9n }, 4n, undefined],
  ['given up, but still there', { segments: 2, firstPosition: 5n, lastPosition: 9n }, 8n, undefined],
  ['the oldest is gone', { segments: 1, firstPosition: 6n, lastPosition: 9n }, 4n, 'oldest log files'],
  ['the newest is gone', { segments: 1, firstPosition: 1n, lastPosition: 3n }, 4n, 'newest files'],
  ['all are gone', { segments: 0, firstPosition: 0n, lastPosition: 0n }, 0n, 'files of the log'],
])('a log with %s', (_, stats, givenUp, said) => {
  const gap = detectLogGap(stats, givenUp);
  if (said === undefined) expect(gap).toBeUndefined();
  else expect(gap?.reason).toContain(said);
});
