import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError } from './errors.js';

const leftOver = /^(?:block-\d+\.native|export-\d+\.pipe)$/;
const maxBuffersPerWrite = 512;

/**
 * Files that were read and are kept to be written over: for a new one the system has to find pages, forget them soon after, and that is as much work as
 * filling them. Small blocks need few pages, and what is kept takes room on the disk.
 */
const mostKept = 2;
const leastKeptBytes = 2 ** 20;
const mostKeptBytes = 2 ** 26;

/** A block in a file. */
export interface BlockFile {
  readonly path: string;
  readonly bytes: number;
}

/** Files through which bytes reach the engine and come back without passing through its process's JavaScript. Nothing in here lasts. */
export class Scratch {
  readonly #directory: string;
  #next = 1;
  /** Paths of files that are there for the next block. */
  readonly #kept: string[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the directory if need be and removes what an earlier life left in it. */
  static async open(directory: string): Promise<Scratch> {
    await mkdir(directory, { recursive: true });
    const names = await readdir(directory);
    await Promise.all(names.filter((name) => leftOver.test(name)).map((name) => unlink(join(directory, name))));
    return new Scratch(directory);
  }

  /**
   * A file with these bytes. It is not synced: what must last is in the log.
   * @throws EngineError `disk-full` or `internal`; no file is left then
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
      throw scratchError(error);
    }
  }

  /** Nobody reads the file any more: it may become another block. One that somebody may still read is to be removed. */
  async giveBack({ path, bytes }: BlockFile): Promise<void> {
    if (isWorthKeeping(bytes) && this.#kept.length < mostKept) this.#kept.push(path);
    else await this.remove(path);
  }

  /** Removes what is kept. */
  async clear(): Promise<void> {
    await Promise.all(this.#kept.splice(0).map((path) => this.remove(path)));
  }

  /**
   * A named pipe: the engine writes into it as into a file and waits when the reader does. Node cannot make one itself.
   * @throws EngineError `internal` where there is no `mkfifo`
   */
  async makePipe(): Promise<string> {
    const path = join(this.#directory, `export-${this.#next++}.pipe`);
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', path]);
      return path;
    } catch (error) {
      throw scratchError(error);
    }
  }

  async remove(path: string): Promise<void> {
    await unlink(path).catch(() => undefined);
  }
}

const isWorthKeeping = (bytes: number): boolean => bytes >= leastKeptBytes && bytes <= mostKeptBytes;

/** Reading without waiting for a writer; and a writer that is gone at once, which ends a pipe that nobody else ever wrote to. */
export const pipeReading = constants.O_RDONLY | constants.O_NONBLOCK;
export const pipeEnding = constants.O_WRONLY | constants.O_NONBLOCK;

/** A disk that becomes full takes the first part and says no word: the engine would read a block with fewer rows, or a damaged one. */
async function writeWhole(file: FileHandle, buffers: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(buffers);
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytesWritten < bytes) throw new EngineError('disk-full', `only ${bytesWritten} of ${bytes} bytes were written`);
}

function scratchError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new EngineError(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'internal', message);
}
