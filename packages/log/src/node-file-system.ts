import { close, constants, fdatasync, fsync, ftruncate, fstat, open, read, writev } from 'node:fs';
import { mkdir, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { lockDirectory } from './lock.js';

// Descriptors and callbacks, not FileHandles: a write and a sync through FileHandles cost a third
// more time.
const calls = {
  open: promisify(open),
  close: promisify(close),
  fstat: promisify(fstat),
  fsync: promisify(fsync),
  fdatasync: promisify(fdatasync),
  ftruncate: promisify(ftruncate),
};

const flags = {
  read: constants.O_RDONLY,
  update: constants.O_RDWR,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const;

/** Only the server's account may read customer data. */
const fileMode = 0o600;
const directoryMode = 0o700;

class NodeFile implements LogFile {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async write(chunks: readonly Uint8Array[], offset: number): Promise<void> {
    let rest = chunks;
    let at = offset;
    while (rest.length > 0) {
      const written = await this.#writeSome(rest, at);
      at += written;
      rest = after(rest, written);
    }
  }

  #writeSome(chunks: readonly Uint8Array[], offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      writev(this.#descriptor, chunks, offset, (error, written) => {
        if (error) reject(error);
        else resolve(written);
      });
    });
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      const bytes = await this.#readSome(target, filled, offset + filled);
      if (bytes === 0) break;
      filled += bytes;
    }
    return filled;
  }

  #readSome(target: Uint8Array, from: number, offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.#descriptor, target, from, target.length - from, offset, (error, bytes) => {
        if (error) reject(error);
        else resolve(bytes);
      });
    });
  }

  sync(): Promise<void> {
    return calls.fdatasync(this.#descriptor);
  }

  async truncate(length: number): Promise<void> {
    await calls.ftruncate(this.#descriptor, length);
    // fdatasync may leave out a length that only shrank.
    await calls.fsync(this.#descriptor);
  }

  async size(): Promise<number> {
    return (await calls.fstat(this.#descriptor)).size;
  }

  close(): Promise<void> {
    return calls.close(this.#descriptor);
  }
}

/** The rest of `chunks` after their first `bytes` bytes. */
function after(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skip = bytes;
  let first = 0;
  while (first < chunks.length && skip >= chunks[first]!.length) skip -= chunks[first++]!.length;
  const rest = chunks.slice(first);
  return skip === 0 ? rest : [rest[0]!.subarray(skip), ...rest.slice(1)];
}

async function syncDirectory(path: string): Promise<void> {
  const descriptor = await calls.open(path, constants.O_RDONLY);
  try {
    await calls.fsync(descriptor);
  } finally {
    await calls.close(descriptor);
  }
}

/**
 * Creates parents one at a time: Node's recursive `mkdir` never returns where the system reports a
 * directory as both missing and existing, as `/proc` does.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: directoryMode });
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isThere) return;
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** The file system of the machine. */
export const nodeFileSystem: LogFileSystem = {
  open: async (path, mode) => new NodeFile(await calls.open(path, flags[mode], fileMode)),
  list: (directory) => readdir(directory),
  makeDirectory,
  rename,
  remove: unlink,
  syncDirectory,
  lock: lockDirectory,
};
