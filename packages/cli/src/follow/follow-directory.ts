import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../failure.js';
import { problemOf } from '../system-errors.js';
import { bytesAt, hasSentContent, linesAt, printsOf } from './followed-file.js';
import { type FollowedFile, type FollowState, readState, writeState } from './follow-state.js';

/** Compressed copies of files that were followed before. */
const compressedPattern = /\.(gz|zst|zstd|bz2|xz|zip)$/i;
/** Polls for which a removed file is kept open: its writer may write to it a little longer. */
const pollsAfterRemoval = 5;

interface FollowOptions {
  readonly directory: string;
  readonly stateFile: string;
  /** Bytes of lines per request. */
  readonly requestBytes: number;
  /** Stores lines; resolves when they are on disk. A repeated key stores them once. */
  readonly send: (lines: Buffer, name: string, key: string) => Promise<void>;
  /** Waits until the directory is to be read again; false ends following. */
  readonly pause: () => Promise<boolean>;
  /** Called once for each file that cannot be read. */
  readonly say: (message: string) => Promise<void>;
}

interface OpenFile {
  readonly handle: FileHandle;
  /** Polls since it left the directory. */
  gone: number;
  /** Size and time of change when all its lines had been sent. */
  done: string;
}

/**
 * Sends the lines of the files in a directory as they are written, each exactly once. Before a
 * request, the state records which bytes it contains, so that a restart repeats it under its key.
 * @throws Failure if the directory or the state cannot be used
 */
export async function followDirectory(options: FollowOptions): Promise<void> {
  const state = (await readState(options.stateFile)) ?? { id: randomUUID(), nextSerial: 0, files: {} };
  const following = new DirectoryFollower(options, state);
  try {
    do await following.poll();
    while (await options.pause());
  } finally {
    await following.close();
  }
}

class DirectoryFollower {
  readonly #options: FollowOptions;
  readonly #id: string;
  #nextSerial: number;
  readonly #files: Map<string, FollowedFile>;
  readonly #open = new Map<string, OpenFile>();
  readonly #unreadable = new Set<string>();

  constructor(options: FollowOptions, { id, nextSerial, files }: FollowState) {
    this.#options = options;
    this.#id = id;
    this.#nextSerial = nextSerial;
    this.#files = new Map(Object.entries(files));
  }

  async poll(): Promise<void> {
    const present = await this.#find();
    for (const number of this.#files.keys()) if (!this.#open.has(number)) this.#files.delete(number);
    for (const [number, file] of this.#open) {
      file.gone = present.has(number) ? 0 : file.gone + 1;
      const ended = file.gone >= pollsAfterRemoval;
      const { size, mtimeMs } = await file.handle.stat();
      const now = `${size} ${mtimeMs}`;
      if (ended || file.done !== now) {
        const isCopy = await this.#sendAll(number, file.handle, ended);
        file.done = isCopy ? '' : now;
      }
      if (!ended) continue;
      await file.handle.close();
      this.#open.delete(number);
      // The number may be given to another file.
      this.#files.delete(number);
    }
  }

  async close(): Promise<void> {
    for (const { handle } of this.#open.values()) await handle.close();
    this.#open.clear();
  }

  /** Opens new files, and returns the numbers of those in the directory. */
  async #find(): Promise<ReadonlySet<string>> {
    const { directory, stateFile } = this.#options;
    const present = new Set<string>();
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
      throw new Failure('failed', `${directory} cannot be read: ${problemOf(error)}`, { cause: error });
    });
    const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
    for (const name of names.filter((name) => !compressedPattern.test(name)).sort()) {
      const path = join(directory, name);
      if (path === stateFile || path === `${stateFile}.next`) continue;
      try {
        present.add(await this.#see(path, name));
        this.#unreadable.delete(path);
      } catch (error) {
        if (!this.#unreadable.has(path)) await this.#options.say(`${path} cannot be read: ${problemOf(error)}`);
        this.#unreadable.add(path);
      }
    }
    return present;
  }

  /** Opens a file unless it is open; returns its number. */
  async #see(path: string, name: string): Promise<string> {
    let number = numberOf(await stat(path));
    if (!this.#open.has(number)) {
      const handle = await open(path, 'r');
      // It may have been rotated since.
      number = numberOf(await handle.stat());
      if (this.#open.has(number)) await handle.close();
      else this.#open.set(number, { handle, gone: 0, done: '' });
    }
    const known = this.#files.get(number);
    if (known === undefined) await this.#begin(number, name, this.#open.get(number)!.handle);
    else if (known.name !== name && known.sending === undefined) this.#files.set(number, { ...known, name });
    return number;
  }

  async #begin(number: string, name: string, handle: FileHandle): Promise<void> {
    const serial = this.#nextSerial++;
    for (const [of, original] of this.#files)
      if (original.offset > 0 && (await hasSentContent(handle, original))) {
        const { offset, head, tail } = original;
        const copyOf = { number: of, serial: original.serial };
        return void this.#files.set(number, { name, serial, offset, head, tail, copyOf });
      }
    this.#files.set(number, { name, serial, offset: 0, ...(await printsOf(handle, 0)) });
  }

  /** Sends the lines that a file has; returns whether it is a copy, whose original sends them. */
  async #sendAll(number: string, handle: FileHandle, ended: boolean): Promise<boolean> {
    for (;;) {
      const file = await this.#current(number, handle);
      if (file.copyOf !== undefined) return true;
      const { offset, sending } = file;
      const lines =
        sending === undefined
          ? await linesAt(handle, offset, this.#options.requestBytes, ended)
          : await bytesAt(handle, offset, sending);
      if (lines.length === 0) return false;
      if (sending === undefined) await this.#set(number, { ...file, sending: lines.length });
      await this.#options.send(lines, file.name, `${this.#id}-${file.serial}-${offset}`);
      const { sending: _, ...rest } = file;
      const sent = offset + lines.length;
      await this.#set(number, { ...rest, offset: sent, ...(await printsOf(handle, sent)) });
    }
  }

  /** How far a file has been sent, after a look at whether it still has that content. */
  async #current(number: string, handle: FileHandle): Promise<FollowedFile> {
    const file = this.#files.get(number)!;
    const next = (await this.#releaseFile(file, handle)) ?? file;
    if (next.copyOf !== undefined || (await hasSentContent(handle, next))) {
      if (next !== file) this.#files.set(number, next);
      return next;
    }
    const newFile = { name: file.name, serial: this.#nextSerial++, offset: 0, ...(await printsOf(handle, 0)) };
    this.#files.set(number, newFile);
    return newFile;
  }

  /**
   * A copy that rotation made follows its original, which sends the lines, until that is truncated.
   * From then on the copy has the lines that the original had not sent.
   */
  async #releaseFile(file: FollowedFile, handle: FileHandle): Promise<FollowedFile | undefined> {
    const { copyOf, ...own } = file;
    if (copyOf === undefined) return undefined;
    const original = this.#files.get(copyOf.number);
    if (original?.serial !== copyOf.serial) return own;
    const offset = Math.min(original.offset, (await handle.stat()).size);
    return { ...file, offset, ...(await printsOf(handle, offset)) };
  }

  #set(number: string, file: FollowedFile): Promise<void> {
    this.#files.set(number, file);
    const files = Object.fromEntries(this.#files);
    return writeState(this.#options.stateFile, { id: this.#id, nextSerial: this.#nextSerial, files });
  }
}

const numberOf = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string => `${dev}-${ino}`;
