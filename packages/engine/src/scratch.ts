import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError, fileError } from './errors.js';

const leftOver = /^(?:block-\d+\.native|export-\d+\.pipe)$/;
const maxBuffersPerWrite = 512;

/**
 * How many files are kept for reuse after they were read, and their minimum and maximum size:
 * allocating and freeing the pages of a new file is as much work as filling it. Small blocks need
 * few pages, and kept files use disk space.
 */
const maxSpares = 2;
const minSpareBytes = 2 ** 20;
const maxSpareBytes = 2 ** 26;
/**
 * Kept files are removed when none has been returned for this long: otherwise they would only use
 * space.
 */
const idleMilliseconds = 30_000;
const pipesAtOnce = 32;

/** A block in a file. */
interface BlockFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Files through which bytes travel to and from the engine without passing through its process's
 * JavaScript. Their content is temporary.
 */
export class Scratch {
  readonly #directory: string;
  #next = 1;
  /** Paths of files for reuse. */
  readonly #spares: string[] = [];
  /** Named pipes that were never used. A used one is not reused: the engine may open it late. */
  readonly #pipes: string[] = [];
  #pipeCreation: Promise<void> | undefined;
  readonly #idleMilliseconds: number;
  #idle: NodeJS.Timeout | undefined;

  private constructor(directory: string, idle: number) {
    this.#directory = directory;
    this.#idleMilliseconds = idle;
  }

  /** Creates the directory if it is missing and removes files of an earlier run. */
  static async open(directory: string, idle = idleMilliseconds): Promise<Scratch> {
    await mkdir(directory, { recursive: true });
    const names = await readdir(directory);
    await Promise.all(names.filter((name) => leftOver.test(name)).map((name) => unlink(join(directory, name))));
    return new Scratch(directory, idle);
  }

  /**
   * Writes these bytes to a file. It is not synced: durable data is in the log.
   * @throws EngineError `disk-full` or `internal`, leaving no file
   */
  async writeBlock(chunks: readonly Uint8Array[]): Promise<BlockFile> {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const kept = isWorthKeeping(bytes) ? this.#spares.pop() : undefined;
    const path = kept ?? join(this.#directory, `block-${this.#next++}.native`);
    try {
      const file = await open(path, kept === undefined ? 'wx' : 'r+', 0o600);
      try {
        for (let at = 0; at < chunks.length; at += maxBuffersPerWrite)
          await writeWhole(file, chunks.slice(at, at + maxBuffersPerWrite));
        if (kept !== undefined) await file.truncate(bytes);
      } finally {
        await file.close();
      }
      return { path, bytes };
    } catch (error) {
      await this.remove(path);
      throw fileError(error);
    }
  }

  /**
   * Returns a file that has no reader, so that another block can overwrite it. If it may still have
   * one, call `remove` instead.
   */
  async release({ path, bytes }: BlockFile): Promise<void> {
    if (!isWorthKeeping(bytes) || this.#spares.length >= maxSpares) return this.remove(path);
    this.#spares.push(path);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.clear(), this.#idleMilliseconds).unref();
  }

  /** Removes the files kept for reuse and the unused pipes. */
  async close(): Promise<void> {
    await this.clear();
    await Promise.all(this.#pipes.splice(0).map((path) => this.remove(path)));
  }

  /** Removes the files kept for reuse. */
  async clear(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#spares.splice(0).map((path) => this.remove(path)));
  }

  /**
   * A new named pipe: the engine writes to it as to a file and pauses while the reader does. Node
   * cannot create one itself, and starting a program blocks everything while the system copies the
   * page tables of the process, a quarter of a second when it is large; so this creates several at
   * once.
   * @throws EngineError `internal` if there is no `mkfifo`
   */
  async makePipe(): Promise<string> {
    for (;;) {
      const path = this.#pipes.pop();
      if (path !== undefined) return path;
      await (this.#pipeCreation ??= this.#makePipes().finally(() => (this.#pipeCreation = undefined)));
    }
  }

  async #makePipes(): Promise<void> {
    const paths = Array.from({ length: pipesAtOnce }, () => join(this.#directory, `export-${this.#next++}.pipe`));
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    } catch (error) {
      throw fileError(error);
    }
    this.#pipes.push(...paths);
  }

  async remove(path: string): Promise<void> {
    await unlink(path).catch(() => undefined);
  }
}

const isWorthKeeping = (bytes: number): boolean => bytes >= minSpareBytes && bytes <= maxSpareBytes;

/**
 * Flags for a reader that does not wait for a writer, and for a writer that is closed at once to
 * end a pipe without another writer.
 */
export const pipeReading = constants.O_RDONLY | constants.O_NONBLOCK;
export const pipeEnding = constants.O_WRONLY | constants.O_NONBLOCK;

/**
 * A disk that fills up accepts the first part without an error: the engine would then read a block
 * with fewer rows, or a damaged one.
 */
async function writeWhole(file: FileHandle, buffers: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(buffers);
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytesWritten < bytes) throw new EngineError('disk-full', `only ${bytesWritten} of ${bytes} bytes were written`);
}
