import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { fromFileSystem, isMissing } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { encodeSegmentHeader, segmentHeaderBytes, unfinishedName } from './format.js';
import { encodeGroup, groupBytes, type OutgoingFrame } from './group.js';
import { Segment } from './segment.js';
import { useFile } from './with-file.js';

/**
 * The segment files: adds a group of frames durably, deletes released segments. One `commit` at a
 * time.
 *
 * A segment gets its name only when its first group is on disk, so every named segment has a valid
 * header and a frame. After a failed write or sync that segment is closed for writing, because the
 * kernel's copy of it cannot be trusted. The next commit begins a new segment whose header contains
 * the valid length of the old one.
 */
export class SegmentStore {
  readonly directory: string;
  readonly #fileSystem: LogFileSystem;
  readonly #segmentBytes: number;
  readonly #segments: Segment[];
  /** The newest segment's file, when it can be appended to. */
  #active: LogFile | undefined;
  /** Whether the next group begins a segment although it fits into the newest. */
  #beginsAnew = false;
  /** Files that a failed creation may have left; they must be deleted before the next creation. */
  #leftovers: readonly string[] = [];
  #releasePromise: Promise<void> = Promise.resolve();

  /** @param segments the segments that recovery found in the directory, oldest first */
  constructor(fileSystem: LogFileSystem, directory: string, segmentBytes: number, segments: Segment[]) {
    this.#fileSystem = fileSystem;
    this.directory = directory;
    this.#segmentBytes = segmentBytes;
    this.#segments = segments;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Total bytes of the segment files, without rejected appends. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.length, 0);
  }

  path(segment: Segment): string {
    return join(this.directory, segment.name);
  }

  /** Makes the newest recovered segment the one to append to. */
  async resume(): Promise<void> {
    const newest = this.#segments.at(-1);
    if (newest !== undefined) this.#active = await this.#fileSystem.open(this.path(newest), 'update');
  }

  /** The next group begins a segment, so that all before it can be released. */
  beginAnew(): void {
    this.#beginsAnew = true;
  }

  /**
   * Writes the frames as a single group; they are on disk when it resolves.
   * @throws LogError `disk-full` or `io`
   */
  async commit(frames: readonly OutgoingFrame[]): Promise<void> {
    const newest = this.#segments.at(-1);
    const room = newest === undefined ? 0 : this.#segmentBytes - newest.length;
    if (this.#active !== undefined && (this.#beginsAnew || groupBytes(frames) > room)) await this.#retire();
    this.#beginsAnew = false;
    if (this.#active !== undefined && newest !== undefined) await this.#extend(this.#active, newest, frames);
    else await this.#create(frames);
  }

  /**
   * Tests whether this many bytes could be made durable: writes and syncs them under a name that
   * recovery would remove, then deletes them. Call between commits only.
   * @throws LogError `disk-full` or `io`
   */
  async tryOut(bytes: number): Promise<void> {
    const name = unfinishedName(0n);
    try {
      await this.#removeLeftovers();
      this.#leftovers = [name];
      await useFile(this.#fileSystem, join(this.directory, name), 'create', async (file) => {
        await file.write([new Uint8Array(bytes)], 0);
        await file.sync();
      });
      await this.#removeLeftovers();
    } catch (error) {
      await this.#removeLeftovers().catch(() => undefined);
      throw fromFileSystem(error, `trying out ${this.directory}`);
    }
  }

  async #extend(file: LogFile, segment: Segment, frames: readonly OutgoingFrame[]): Promise<void> {
    const groupOffset = segment.length;
    try {
      await file.write(encodeGroup(frames, groupOffset, segment.header.salt), groupOffset);
      await file.sync();
    } catch (error) {
      await this.#retire(groupOffset);
      throw fromFileSystem(error, `writing ${this.path(segment)}`);
    }
    for (const frame of frames) segment.add({ ...frame, groupOffset });
  }

  /**
   * Stops appending to the newest segment; `cutTo` also tries to free the bytes after that offset.
   */
  async #retire(cutTo?: number): Promise<void> {
    const file = this.#active;
    this.#active = undefined;
    try {
      if (cutTo !== undefined) await file?.truncate(cutTo);
    } catch {
      // Truncating only frees space: it is the next segment's header that makes the cut hold.
    }
    await file?.close().catch(() => undefined);
  }

  async #create(frames: readonly OutgoingFrame[]): Promise<void> {
    const previous = this.#segments.at(-1);
    const segment = new Segment({
      salt: randomInt(2 ** 32),
      firstPosition: frames[0]!.position,
      previousFirst: previous?.header.firstPosition ?? 0n,
      previousLength: previous?.length ?? 0,
      syncedLength: segmentHeaderBytes + groupBytes(frames),
    });
    const path = this.path(segment);
    const unfinished = join(this.directory, unfinishedName(segment.header.firstPosition));
    let file: LogFile | undefined;
    try {
      await this.#removeLeftovers();
      this.#leftovers = [unfinishedName(segment.header.firstPosition), segment.name];
      file = await this.#fileSystem.open(unfinished, 'create');
      const group = encodeGroup(frames, segmentHeaderBytes, segment.header.salt);
      await file.write([encodeSegmentHeader(segment.header), ...group], 0);
      await file.sync();
      await this.#fileSystem.rename(unfinished, path);
      await this.#fileSystem.syncDirectory(this.directory);
    } catch (error) {
      await file?.close().catch(() => undefined);
      // Frees the space now if possible; the next creation insists on it.
      await this.#removeLeftovers().catch(() => undefined);
      throw fromFileSystem(error, `creating ${path}`);
    }
    this.#leftovers = [];
    for (const frame of frames) segment.add({ ...frame, groupOffset: segmentHeaderBytes });
    this.#segments.push(segment);
    this.#active = file;
  }

  /**
   * A rejected segment under its own name would break the chain from the next segment to the
   * previous one.
   */
  async #removeLeftovers(): Promise<void> {
    if (this.#leftovers.length === 0) return;
    for (const name of this.#leftovers) await removeIfThere(this.#fileSystem, join(this.directory, name));
    await this.#fileSystem.syncDirectory(this.directory);
    this.#leftovers = [];
  }

  /**
   * Deletes the oldest segments whose frames are all at or below `upTo`, never the newest: it holds
   * the position.
   */
  release(upTo: bigint): Promise<void> {
    const released = this.#releasePromise.then(() => this.#release(upTo));
    this.#releasePromise = released.catch(() => undefined);
    return released;
  }

  async #release(upTo: bigint): Promise<void> {
    while (this.#segments.length > 1 && this.#segments[0]!.lastPosition <= upTo) {
      const oldest = this.#segments[0]!;
      try {
        oldest.isReleased = true;
        await removeIfThere(this.#fileSystem, this.path(oldest));
        // One at a time, or a crash could keep an older segment and lose a newer one, which looks
        // like damage.
        await this.#fileSystem.syncDirectory(this.directory);
      } catch (error) {
        throw fromFileSystem(error, `deleting ${this.path(oldest)}`);
      }
      this.#segments.shift();
    }
  }

  async close(): Promise<void> {
    await this.#releasePromise;
    await this.#retire();
  }
}

async function removeIfThere(fileSystem: LogFileSystem, path: string): Promise<void> {
  try {
    await fileSystem.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
