/** The same calls give the same results on the machine's file system and on its in-memory twin. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogFileSystem } from './file-system.js';
import { nodeFileSystem } from './node-file-system.js';
import { MemoryFileSystem } from './testing/index.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe.each([
  { name: 'node', make: (): LogFileSystem => nodeFileSystem },
  { name: 'memory', make: (): LogFileSystem => new MemoryFileSystem() },
])('the $name file system', ({ make }) => {
  let base: string;
  let directory: string;
  let fileSystem: LogFileSystem;

  beforeEach(async () => {
    fileSystem = make();
    base = await mkdtemp(join(tmpdir(), 'millrace-log-'));
    directory = join(base, 'a', 'b');
    await fileSystem.makeDirectory(directory);
  });
  afterEach(() => rm(base, { recursive: true }));

  const create = (name: string) => fileSystem.open(join(directory, name), 'create');
  const content = async (name: string): Promise<string> => {
    const file = await fileSystem.open(join(directory, name), 'read');
    const target = new Uint8Array(await file.size());
    expect(await file.read(target, 0)).toBe(target.length);
    await file.close();
    return Buffer.from(target).toString();
  };

  test('reads back what was written, gaps as zeros, overwritten in place', async () => {
    const file = await create('x');
    await file.write([bytes('ab'), bytes(''), bytes('cd')], 0);
    await file.write([bytes('z')], 6);
    await file.write([bytes('B')], 1);
    await file.sync();
    expect(await content('x')).toBe('aBcd\0\0z');
    await file.close();
  });

  test('a read at the end of the file is short', async () => {
    const file = await create('x');
    await file.write([bytes('abc')], 0);
    expect(await file.read(new Uint8Array(10), 1)).toBe(2);
    expect(await file.read(new Uint8Array(10), 3)).toBe(0);
    await file.close();
  });

  test('truncate cuts the file, and writing continues from there', async () => {
    const file = await create('x');
    await file.write([bytes('abcdef')], 0);
    await file.truncate(2);
    await file.write([bytes('!')], 2);
    expect(await content('x')).toBe('ab!');
    await file.close();
  });

  test('thousands of chunks are written by one call', async () => {
    const file = await create('x');
    await file.write(
      Array.from({ length: 5000 }, (_, index) => bytes(`${index},`)),
      0,
    );
    expect(await content('x')).toBe(Array.from({ length: 5000 }, (_, index) => `${index},`).join(''));
    await file.close();
  });

  test('create refuses an existing file, the other modes a missing one', async () => {
    await (await create('x')).close();
    await expect(create('x')).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(fileSystem.open(join(directory, 'y'), 'read')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(fileSystem.open(join(directory, 'y'), 'update')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(fileSystem.remove(join(directory, 'y'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(fileSystem.list(join(directory, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('rename replaces the target; list returns the present names', async () => {
    const one = await create('one');
    await one.write([bytes('1')], 0);
    await one.close();
    await (await create('two')).close();
    await fileSystem.rename(join(directory, 'one'), join(directory, 'two'));
    await fileSystem.syncDirectory(directory);
    expect(await fileSystem.list(directory)).toEqual(['two']);
    expect(await content('two')).toBe('1');
    await fileSystem.remove(join(directory, 'two'));
    expect(await fileSystem.list(directory)).toEqual([]);
  });

  test('an open file outlives its name', async () => {
    const file = await create('x');
    await file.write([bytes('abc')], 0);
    await fileSystem.remove(join(directory, 'x'));
    expect(await file.read(new Uint8Array(3), 0)).toBe(3);
    await file.close();
  });

  test('the lock is held once, and can be taken again after its release', async () => {
    const lock = await fileSystem.lock(directory);
    await expect(fileSystem.lock(directory)).rejects.toMatchObject({ code: 'locked' });
    await lock.release();
    const again = await fileSystem.lock(directory);
    await again.release();
  });

  test('making a directory that exists changes nothing', async () => {
    await (await create('x')).close();
    await fileSystem.makeDirectory(directory);
    expect(await fileSystem.list(directory)).toEqual(['x']);
  });
});

describe('a directory that cannot be made', () => {
  test.runIf(process.platform === 'linux')(
    'is refused where the system reports it as both missing and existing',
    async () => {
      await expect(nodeFileSystem.makeDirectory('/proc/none/log')).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );

  test('is refused where a file is in the way', async () => {
    const base = await mkdtemp(join(tmpdir(), 'millrace-log-'));
    await writeFile(join(base, 'file'), '');
    await expect(nodeFileSystem.makeDirectory(join(base, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(nodeFileSystem.makeDirectory(join(base, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await rm(base, { recursive: true });
  });
});
