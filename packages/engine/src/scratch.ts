import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError, fileError } from './errors.js';

const leftOver = /^(?:block-\d+\.native|export-\d+\.pipe)$/;
const maxBuffersPerWrite = 512;

/**
 * How many files, and of which sizes, are kept after they were read, to be overwritten: for a new
 * file the system has to find pages and soon after free them, which is as much work as filling
 * them. Small blocks need few pages, and kept files take room on the disk.
 */
const mostKept = 2;
const leastKeptBytes = 2 ** 20;
const mostKeptBytes = 2 ** 26;
/**
 * They are removed when none has been given back for this long: at rest they would only take room.
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
 * JavaScript. Nothing in here has to last.
 */
export class Scratch {
  readonly #directory: string;
  #next = 1;
  /** Paths of files that the next blocks may overwrite. */
  readonly #kept: string[] = [];
  /**
   * Named pipes that nobody has used. One that somebody has is not used again: the engine may open
   * it late.
   */
  readonly #pipes: string[] = [];
  #makingPipes: Promise<void> | undefined;
  readonly #idleMilliseconds: number;
  #idle: NodeJS.Timeout | undefined;

  private constructor(directory: string, idle: number) {
    this.#directory = directory;
    this.#idleMilliseconds = idle;
  }

  /** Creates the directory if it is missing and removes what an earlier run left in it. */
  static async open(directory: string, idle = idleMilliseconds): Promise<Scratch> {
    await mkdir(directory, { recursive: true });
    const names = await readdir(directory);
    await Promise.all(names.filter((name) => leftOver.test(name)).map((name) => unlink(join(directory, name))));
    return new Scratch(directory, idle);
  }

  /**
   * Writes these bytes to a file. It is not synced: what must last is in the log.
   * @throws EngineError `disk-full` or `internal`, leaving no file behind
   */
  async writeBlock(chunks: readonly Uint8Array[]): Promise<BlockFile> {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const kept = isWorthKeeping(bytes) ? this.#kept.pop() : undefined;
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
   * Returns a file that nobody reads any more, so that it can become another block. If somebody may
   * still read it, call `remove` instead.
   */
  async giveBack({ path, bytes }: BlockFile): Promise<void> {
    if (!isWorthKeeping(bytes) || this.#kept.length >= mostKept) return this.remove(path);
    this.#kept.push(path);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.clear(), this.#idleMilliseconds).unref();
  }

  /** Removes the files kept for reuse, and the pipes that nobody needed. */
  async close(): Promise<void> {
    await this.clear();
    await Promise.all(this.#pipes.splice(0).map((path) => this.remove(path)));
  }

  /** Removes the files kept for reuse. */
  async clear(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.all(this.#kept.splice(0).map((path) => this.remove(path)));
  }

  /**
   * A new named pipe: the engine writes to it as to a file and waits while the reader does. Node
   * cannot make one itself, and to start a program stops everything for as long as the system
   * copies the tables of the process's memory, a quarter of a second when it is large; so it makes
   * some at once.
   * @throws EngineError `internal` if there is no `mkfifo`
   */
  async makePipe(): Promise<string> {
    for (;;) {
      const path = this.#pipes.pop();
      if (path !== undefined) return path;
      await (this.#makingPipes ??= this.#makePipes().finally(() => (this.#makingPipes = undefined)));
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

const isWorthKeeping = (bytes: number): boolean => bytes >= leastKeptBytes && bytes <= mostKeptBytes;

/**
 * Flags for a reader that does not wait for a writer, and for a writer that is closed at once to
 * end a pipe that nobody else wrote to.
 */
export const pipeReading = constants.O_RDONLY | constants.O_NONBLOCK;
export const pipeEnding = constants.O_WRONLY | constants.O_NONBLOCK;

/**
 * A disk that fills up takes the first part without an error: the engine would then read a block
 * with fewer rows, or a damaged one.
 */
async function writeWhole(file: FileHandle, buffers: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(buffers);
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytesWritten < bytes) throw new EngineError('disk-full', `only ${bytesWritten} of ${bytes} bytes were written`);
}
