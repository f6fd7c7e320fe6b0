import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withStagingDirectory } from './staging-directory.js';

let root: string;
let place: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-workplace-'));
  place = join(root, 'data.restoring');
});
afterEach(() => rmSync(root, { recursive: true }));

test('work begins in an empty directory, and nothing stays of it however it ends', async () => {
  await withStagingDirectory(place, async (directory) => {
    expect(await readdir(directory)).toEqual([]);
    await writeFile(join(directory, 'x'), '');
  });
  expect(readdirSync(root)).toEqual([]);
  const failing = withStagingDirectory(place, async (directory) => {
    await writeFile(join(directory, 'x'), '');
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(readdirSync(root)).toEqual([]);
});

test('what a killed process left is removed, wherever it was killed', async () => {
  const killed = join(root, 'killed');
  await withStagingDirectory(place, async (directory) => {
    await writeFile(join(directory, 'x'), '');
    // Lock sockets cannot be copied; the socket of a killed process has no listener.
    await cp(place, killed, { recursive: true, filter: (path) => !path.includes('lock.') });
  });
  mkdirSync(place);
  for (const left of [undefined, killed]) {
    if (left !== undefined) await cp(left, place, { recursive: true });
    await withStagingDirectory(place, async (directory) => expect(await readdir(directory)).toEqual([]));
    expect(existsSync(place)).toBe(false);
  }
});

test('is distinguished from foreign data until its data is deleted', async () => {
  let unmarked = false;
  let looks = 0;
  let watch: NodeJS.Immediate | undefined;
  const look = (): void => {
    looks++;
    unmarked ||= existsSync(join(place, 'data')) && !existsSync(join(place, 'millrace-restore'));
    watch = setImmediate(look);
  };
  const failing = withStagingDirectory(place, async (directory) => {
    for (let i = 0; i < 500; i++) await writeFile(join(directory, `${i}`), '');
    look();
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  clearImmediate(watch);
  expect(looks).toBeGreaterThan(10);
  expect(unmarked).toBe(false);
});

test('leaves foreign files alone', async () => {
  const work = () => Promise.reject(new Error('worked'));
  mkdirSync(join(place, 'data'), { recursive: true });
  writeFileSync(join(place, 'data', 'notes.txt'), 'mine');
  await expect(withStagingDirectory(place, work)).rejects.toThrow('in the way');
  expect(readFileSync(join(place, 'data', 'notes.txt'), 'utf8')).toBe('mine');
  rmSync(place, { recursive: true });
  writeFileSync(place, 'mine');
  await expect(withStagingDirectory(place, work)).rejects.toThrow('in the way');
  expect(readFileSync(place, 'utf8')).toBe('mine');
});

test('two do not work in one place', async () => {
  await withStagingDirectory(place, async (directory) => {
    await writeFile(join(directory, 'x'), '');
    await expect(withStagingDirectory(place, async () => {})).rejects.toMatchObject({ code: 'locked' });
    expect(await readdir(directory)).toEqual(['x']);
  });
});
