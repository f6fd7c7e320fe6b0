import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDirectory } from './lock.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-log-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('the error names the lock holder and the remedy', async () => {
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(
    /in use by this process \(host .+\); stop that process, or choose another directory/,
  );
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
});

test('a path longer than a socket address can be locked', async () => {
  const deep = join(directory, 'd'.repeat(200));
  await mkdir(deep);
  const lock = await lockDirectory(deep);
  await expect(lockDirectory(deep)).rejects.toMatchObject({ code: 'locked' });
  await lock.release();
});

test('a lock file without a listener is taken over and removed', async () => {
  await writeFile(join(directory, 'lock.1.host.0123456789ab'), '');
  const lock = await lockDirectory(directory);
  expect(await readdir(directory)).toHaveLength(1);
  await lock.release();
});

test('what a process left that was killed before it published its socket is removed, unless it may be about to', async () => {
  const [old, young] = ['claim.0123456789ab', 'claim.ba9876543210'];
  for (const name of [old, young, 'claim.of-somebody-else']) await writeFile(join(directory, name), '');
  const before = Date.now() / 1000 - 120;
  for (const name of [old, 'claim.of-somebody-else']) await utimes(join(directory, name), before, before);
  const lock = await lockDirectory(directory);
  await lock.release();
  expect((await readdir(directory)).toSorted()).toEqual([young, 'claim.of-somebody-else']);
});

test('of many that try at once, at most one gets the lock', async () => {
  for (let round = 0; round < 20; round++) {
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(directory)));
    const locks = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []));
    expect(locks.length).toBeLessThanOrEqual(1);
    for (const lock of locks) await lock.release();
  }
  await (await lockDirectory(directory)).release();
});
