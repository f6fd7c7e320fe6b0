import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Scratch } from './scratch.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-scratch-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const chunks = Array.from({ length: 1300 }, (_, at) => new Uint8Array(1 + (at % 7)).fill(at));

test('a block has all its chunks, in order', async () => {
  const scratch = await Scratch.open(directory);
  const file = await scratch.writeBlock(chunks);
  expect(Buffer.compare(readFileSync(file.path), Buffer.concat(chunks))).toBe(0);
  await scratch.release(file);
  expect(readdirSync(directory)).toEqual([]);
});

const large = (megabytes: number, fill: number): readonly Uint8Array[] =>
  Array.from({ length: megabytes }, (_, at) => new Uint8Array(2 ** 20).fill(fill + at));

test('a large block overwrites the file of one that was read, and nothing of the old one is left', async () => {
  const scratch = await Scratch.open(directory);
  const first = await scratch.writeBlock(large(3, 1));
  await scratch.release(first);
  const shorter = await scratch.writeBlock(large(2, 5));
  expect(shorter).toEqual({ path: first.path, bytes: 2 * 2 ** 20 });
  expect(Buffer.compare(readFileSync(shorter.path), Buffer.concat(large(2, 5)))).toBe(0);
  const meanwhile = await scratch.writeBlock(large(2, 9));
  expect(meanwhile.path).not.toBe(shorter.path);
  await scratch.release(shorter);
  const longer = await scratch.writeBlock(large(4, 13));
  expect(longer.path).toBe(shorter.path);
  expect(Buffer.compare(readFileSync(longer.path), Buffer.concat(large(4, 13)))).toBe(0);
});

test('kept files are removed when nothing has been written for a while, and one in use is not', async () => {
  const scratch = await Scratch.open(directory, 10);
  const [first, second] = await Promise.all([1, 2].map((fill) => scratch.writeBlock(large(1, fill))));
  await scratch.release(first!);
  await expect.poll(() => readdirSync(directory)).toEqual([basename(second!.path)]);
  await scratch.release(second!);
  await expect.poll(() => readdirSync(directory)).toEqual([]);
  const third = await scratch.writeBlock(large(1, 3));
  expect(Buffer.compare(readFileSync(third.path), Buffer.concat(large(1, 3)))).toBe(0);
  await scratch.remove(third.path);
});

test('at most two files are kept, none of a huge block and none that may still be read', async () => {
  const scratch = await Scratch.open(directory);
  const files = await Promise.all([1, 2, 3, 4].map((fill) => scratch.writeBlock(large(1, fill))));
  await scratch.remove(files[0]!.path);
  for (const file of files.slice(1)) await scratch.release(file);
  expect(readdirSync(directory)).toHaveLength(2);
  const huge = await scratch.writeBlock(large(65, 1));
  expect(readdirSync(directory)).toHaveLength(3);
  await scratch.release(huge);
  expect(readdirSync(directory)).toHaveLength(2);
  await scratch.clear();
  expect(readdirSync(directory)).toEqual([]);
  await scratch.release(await scratch.writeBlock(large(1, 1)));
});

test('each pipe is given once, one program makes many, and none stays behind', async () => {
  const scratch = await Scratch.open(directory);
  const paths = await Promise.all(Array.from({ length: 40 }, () => scratch.makePipe()));
  expect(new Set(paths).size).toBe(40);
  expect(paths.every((path) => lstatSync(path).isFIFO())).toBe(true);
  expect(readdirSync(directory)).toHaveLength(64);
  for (const path of paths) await scratch.remove(path);
  await scratch.close();
  expect(readdirSync(directory)).toEqual([]);
});

test('a disk that takes only part of the last write counts as full, and no part of the block is left', async () => {
  const scratch = await Scratch.open(directory);
  const file = await open(join(directory, 'any'), 'wx');
  const handles = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  rmSync(join(directory, 'any'));
  const { writev } = handles;
  let writes = 0;
  vi.spyOn(handles, 'writev').mockImplementation(function (this: FileHandle, buffers, position) {
    return writev.call(this, ++writes === 3 ? buffers.slice(0, -1) : buffers, position) as ReturnType<typeof writev>;
  });
  await expect(scratch.writeBlock(chunks)).rejects.toMatchObject({ code: 'disk-full', retryable: true });
  expect(writes).toBe(3);
  expect(readdirSync(directory)).toEqual([]);
  // No rest of a block that should have overwritten another either.
  await scratch.release(await scratch.writeBlock(large(1, 1)));
  writes = 2;
  await expect(scratch.writeBlock(large(2, 1))).rejects.toMatchObject({ code: 'disk-full' });
  expect(readdirSync(directory)).toEqual([]);
});
