import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const path = await scratch.writeBlock(chunks);
  expect(Buffer.compare(readFileSync(path), Buffer.concat(chunks))).toBe(0);
  await scratch.remove(path);
  expect(readdirSync(directory)).toEqual([]);
});

test('a disk that takes a part of the last write is full, and no part of the block is left', async () => {
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
});
