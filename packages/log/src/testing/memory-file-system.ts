import { basename, dirname } from 'node:path';
import { LogError } from '../errors.js';
import type { DirectoryLock, LogFile, LogFileSystem } from '../file-system.js';
import { MemoryDirectory, MemoryInode } from './memory-disk.js';
import { type Random, seededRandom } from './random.js';

export type Operation =
  | 'open'
  | 'list'
  | 'makeDirectory'
  | 'rename'
  | 'remove'
  | 'syncDirectory'
  | 'write'
  | 'read'
  | 'sync'
  | 'truncate';

const changingOperations: readonly Operation[] = [
  'open',
  'rename',
  'remove',
  'syncDirectory',
  'write',
  'sync',
  'truncate',
];

export interface Call {
  readonly operation: Operation;
  readonly path: string;
  /** How many changing calls have been made, including this one. */
  readonly nth: number;
}

/**
 * An in-memory file system that loses unsynced data. `afterPowerCut` and `afterKill` return the
 * file system for the next process; `stopAfter` picks the moment, even within a call. `fault` makes
 * calls fail, `capacity` limits its size.
 */
export class MemoryFileSystem implements LogFileSystem {
  /** The bytes that all files together may hold; can be changed at any time. */
  capacity = Infinity;
  /**
   * Returns the errno a call fails with, if any. A failing write leaves half of its bytes; a
   * failing sync loses some.
   */
  fault: ((call: Call) => string | undefined) | undefined;
  /** Delays a call before it takes effect, as a slow disk does. */
  delay: ((call: Call) => Promise<void>) | undefined;
  /**
   * Resolves when the moment given to `stopAfter` is reached: from then on no call ever settles.
   */
  readonly stopPromise: Promise<void>;
  readonly #directories: Map<string, MemoryDirectory>;
  readonly #locks = new Set<string>();
  readonly #random: Random;
  #nth = 0;
  #momentsLeft = Infinity;
  #stop: () => void = () => undefined;

  constructor(random: Random = seededRandom(1), directories: Map<string, MemoryDirectory> = new Map()) {
    this.#random = random;
    this.#directories = directories;
    this.stopPromise = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  /**
   * Stops the process at the `moments`-th moment from now: each changing call has one moment before
   * it and one after it.
   */
  stopAfter(moments: number): void {
    this.#momentsLeft = moments;
  }

  /** Every file as it would be read now, by path. */
  files(): ReadonlyMap<string, Uint8Array> {
    const all = [...this.#directories].flatMap(([path, directory]) =>
      [...directory.entries].map(([name, inode]) => [`${path}/${name}`, inode.bytes] as const),
    );
    return new Map(all);
  }

  /** A disk with exactly these files, all synced. */
  static fromFiles(files: ReadonlyMap<string, Uint8Array>): MemoryFileSystem {
    const directories = new Map<string, MemoryDirectory>();
    for (const [path, bytes] of files) {
      const directory = directories.get(dirname(path)) ?? new MemoryDirectory();
      directories.set(dirname(path), directory);
      const inode = new MemoryInode();
      inode.change({ kind: 'write', offset: 0, bytes });
      inode.sync();
      directory.change((entries) => entries.set(basename(path), inode));
      directory.sync();
    }
    return new MemoryFileSystem(seededRandom(1), directories);
  }

  afterPowerCut(random: Random): MemoryFileSystem {
    const survived = [...this.#directories].map(([path, made]) => [path, made.afterPowerCut(random)] as const);
    return new MemoryFileSystem(random, new Map(survived));
  }

  afterKill(): MemoryFileSystem {
    const copies = new Map<MemoryInode, MemoryInode>();
    const copy = (inode: MemoryInode): MemoryInode => {
      const made = copies.get(inode) ?? inode.copy();
      copies.set(inode, made);
      return made;
    };
    const found = [...this.#directories].map(([path, directory]) => [path, directory.copy(copy)] as const);
    return new MemoryFileSystem(this.#random, new Map(found));
  }

  /**
   * One call: a moment to stop before it, perhaps a fault, its effect in one piece, a moment to
   * stop after it.
   */
  async #call<T>(operation: Operation, path: string, effect: () => T, onFault?: () => void): Promise<T> {
    await this.#moment(operation);
    if (changingOperations.includes(operation)) this.#nth++;
    const call = { operation, path, nth: this.#nth };
    if (this.delay !== undefined) await this.delay(call);
    const errno = this.fault?.(call);
    if (errno !== undefined) {
      onFault?.();
      throw failure(errno, operation, path);
    }
    const result = effect();
    await this.#moment(operation);
    return result;
  }

  async #moment(operation: Operation): Promise<void> {
    await Promise.resolve();
    if (changingOperations.includes(operation)) this.#momentsLeft--;
    if (this.#momentsLeft > 0) return;
    this.#stop();
    await new Promise(() => undefined);
  }

  #directory(path: string, operation: Operation): MemoryDirectory {
    const directory = this.#directories.get(path);
    if (directory === undefined) throw failure('ENOENT', operation, path);
    return directory;
  }

  #inode(path: string, operation: Operation): MemoryInode {
    const inode = this.#directory(dirname(path), operation).entries.get(basename(path));
    if (inode === undefined) throw failure('ENOENT', operation, path);
    return inode;
  }

  #free(): number {
    let used = 0;
    for (const bytes of this.files().values()) used += bytes.length;
    return Math.max(0, this.capacity - used);
  }

  open(path: string, mode: 'read' | 'update' | 'create'): Promise<LogFile> {
    return this.#call('open', path, () => {
      if (mode !== 'create') return this.#file(path, this.#inode(path, 'open'));
      const directory = this.#directory(dirname(path), 'open');
      if (directory.entries.has(basename(path))) throw failure('EEXIST', 'open', path);
      const inode = new MemoryInode();
      directory.change((entries) => entries.set(basename(path), inode));
      return this.#file(path, inode);
    });
  }

  #file(path: string, inode: MemoryInode): LogFile {
    const put = (bytes: Uint8Array, offset: number): void => {
      if (bytes.length > 0) inode.change({ kind: 'write', offset, bytes });
    };
    return {
      write: (chunks, offset) => {
        const bytes = new Uint8Array(Buffer.concat(chunks));
        const half = (): void => put(bytes.subarray(0, bytes.length >>> 1), offset);
        const store = (): void => {
          const room = Math.max(0, inode.bytes.length - offset) + this.#free();
          put(bytes.subarray(0, room), offset);
          if (bytes.length > room) throw failure('ENOSPC', 'write', path);
        };
        return this.#call('write', path, store, half);
      },
      read: (target, offset) =>
        this.#call('read', path, () => {
          const bytes = inode.bytes.subarray(offset, offset + target.length);
          target.set(bytes);
          return bytes.length;
        }),
      sync: () =>
        this.#call(
          'sync',
          path,
          () => inode.sync(),
          () => inode.failSync(this.#random),
        ),
      truncate: async (length) => {
        await this.#call('truncate', path, () => inode.change({ kind: 'truncate', length }));
        await this.#call(
          'sync',
          path,
          () => inode.sync(),
          () => inode.failSync(this.#random),
        );
      },
      size: () => this.#call('read', path, () => inode.bytes.length),
      close: () => Promise.resolve(),
    };
  }

  list(directory: string): Promise<readonly string[]> {
    return this.#call('list', directory, () => [...this.#directory(directory, 'list').entries.keys()]);
  }

  makeDirectory(path: string): Promise<void> {
    return this.#call('makeDirectory', path, () => {
      if (!this.#directories.has(path)) this.#directories.set(path, new MemoryDirectory());
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call('rename', from, () => {
      const inode = this.#inode(from, 'rename');
      this.#directory(dirname(to), 'rename').change((entries) => {
        entries.delete(basename(from));
        entries.set(basename(to), inode);
      });
    });
  }

  remove(path: string): Promise<void> {
    return this.#call('remove', path, () => {
      this.#inode(path, 'remove');
      this.#directory(dirname(path), 'remove').change((entries) => entries.delete(basename(path)));
    });
  }

  syncDirectory(path: string): Promise<void> {
    return this.#call('syncDirectory', path, () => this.#directory(path, 'syncDirectory').sync());
  }

  lock(directory: string): Promise<DirectoryLock> {
    if (this.#locks.has(directory)) {
      return Promise.reject(new LogError('locked', `The log in ${directory} is in use by this process.`));
    }
    this.#locks.add(directory);
    return Promise.resolve({
      release: () => {
        this.#locks.delete(directory);
        return Promise.resolve();
      },
    });
  }
}

function failure(errno: string, operation: Operation, path: string): Error {
  return Object.assign(new Error(`${errno}: ${operation} '${path}'`), { code: errno });
}
