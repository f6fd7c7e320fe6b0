import { join } from 'node:path';
import { fromFileSystem, LogError } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { segmentHeaderBytes, type SegmentHeader, segmentName, segmentNamed } from './format.js';
import { groupBytes, type OutgoingFrame } from './group.js';
import { readHeader, segmentNames } from './inspect.js';
import { logLimits } from './limits.js';
import { nodeFileSystem } from './node-file-system.js';
import { type Corruption, FrameScanner } from './scan.js';
import { findFrame, inferHeader } from './search.js';
import { SegmentStore } from './store.js';
import { useFile } from './with-file.js';

/** A byte range of a segment without an intact frame, or a missing segment. */
export interface LostRange {
  readonly file: string;
  readonly offset: number;
  /** 0 when the file is missing. */
  readonly bytes: number;
  readonly reason: string;
  /** The lost frames, if any, have positions between these two, both exclusive. */
  readonly after: bigint;
  readonly before: bigint | undefined;
}

export interface SalvageReport {
  readonly frames: number;
  readonly bytes: number;
  readonly lost: readonly LostRange[];
}

/**
 * Copies every intact frame, with its position, from a damaged log into a new one. The damaged log
 * is only read; the target must be empty or missing. Damaged ranges are listed, never guessed at. A
 * failure leaves no file in the target.
 * @throws LogError `invalid-setting` when the target has entries; `unsupported-version`; `io`,
 * `disk-full`
 */
export async function salvageLog(
  directory: string,
  target: string,
  fileSystem: LogFileSystem = nodeFileSystem,
): Promise<SalvageReport> {
  try {
    const names = await segmentNames(fileSystem, directory);
    const store = await emptyStore(fileSystem, target);
    try {
      return await new Salvage(fileSystem, directory, store).run(names);
    } catch (error) {
      await discard(fileSystem, store);
      throw error;
    }
  } catch (error) {
    throw fromFileSystem(error, `salvaging ${directory}`);
  }
}

/**
 * Removes the partial copy, so that the next attempt finds the target empty. Never throws: the
 * original failure is the one to report.
 */
async function discard(fileSystem: LogFileSystem, store: SegmentStore): Promise<void> {
  try {
    await store.close();
    for (const segment of store.segments) await fileSystem.remove(store.path(segment));
    await fileSystem.syncDirectory(store.directory);
  } catch {
    // The next attempt will report that the target is not empty.
  }
}

async function emptyStore(fileSystem: LogFileSystem, target: string): Promise<SegmentStore> {
  await fileSystem.makeDirectory(target);
  if ((await fileSystem.list(target)).length > 0) {
    throw new LogError('invalid-setting', `${target} is not empty; name a new directory for the salvaged log.`);
  }
  return new SegmentStore(fileSystem, target, logLimits.logSegmentBytes.default, []);
}

class Salvage {
  readonly #fileSystem: LogFileSystem;
  readonly #directory: string;
  readonly #target: SegmentStore;
  readonly #lostRanges: LostRange[] = [];
  /** Lost ranges not yet followed by an intact frame. */
  #unboundedRanges: LostRange[] = [];
  #group: OutgoingFrame[] = [];
  #last = 0n;
  #frames = 0;

  constructor(fileSystem: LogFileSystem, directory: string, target: SegmentStore) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#target = target;
  }

  async run(names: readonly string[]): Promise<SalvageReport> {
    for (const [index, name] of names.entries()) {
      const sealed = await this.#sealedLength(name, names[index + 1]);
      await useFile(this.#fileSystem, join(this.#directory, name), 'read', async (file) => {
        await this.#segment(file, name, names[index - 1], sealed);
      });
    }
    await this.#flush();
    await this.#target.close();
    return { frames: this.#frames, bytes: this.#target.bytes, lost: [...this.#lostRanges, ...this.#unboundedRanges] };
  }

  /**
   * The length of the segment according to the next segment's header; later bytes were rejected,
   * not lost.
   */
  async #sealedLength(name: string, next: string | undefined): Promise<number> {
    if (next === undefined) return Infinity;
    const header = await useFile(this.#fileSystem, join(this.#directory, next), 'read', readHeader);
    return typeof header !== 'string' && segmentName(header.previousFirst) === name ? header.previousLength : Infinity;
  }

  async #segment(file: LogFile, name: string, previous: string | undefined, sealed: number): Promise<void> {
    const size = await file.size();
    const end = Math.min(size, sealed);
    const read = await readHeader(file);
    if (read === 'newer version') throw new LogError('unsupported-version', `A newer release wrote ${name}.`);
    if (read === 'damaged') {
      this.#lose(name, 0, Math.min(end, segmentHeaderBytes), 'the segment header is damaged');
    } else if (previous !== undefined && segmentName(read.previousFirst) !== previous) {
      this.#lose(segmentName(read.previousFirst), 0, 0, 'the file is missing');
    }
    const header = read === 'damaged' ? await inferHeader(file, segmentNamed(name)!, end) : read;
    if (header !== undefined) await this.#copyIntact(file, header, name, end);
    else this.#lose(name, segmentHeaderBytes, Math.max(0, end - segmentHeaderBytes), 'no intact frame');
    const recorded = sealed === Infinity ? (header?.syncedLength ?? 0) : sealed;
    if (size < recorded) this.#lose(name, size, recorded - size, `the file ends before its recorded length`);
  }

  async #copyIntact(file: LogFile, header: SegmentHeader, name: string, end: number): Promise<void> {
    let from: number | undefined = segmentHeaderBytes;
    while (from !== undefined) {
      const damage = await this.#copyFrom(file, header, from, end);
      if (damage === undefined) return;
      // After missing bytes the frame at the damage may be intact: only its offset differs.
      const next: number = damage.offset === from ? from + 1 : damage.offset;
      from = await findFrame(file, header, next, end, { after: this.#last, groupAfter: 0 });
      if (from !== damage.offset) this.#lose(name, damage.offset, (from ?? end) - damage.offset, damage.reason);
    }
  }

  /** Copies the frames from an offset on until one is damaged. */
  async #copyFrom(file: LogFile, header: SegmentHeader, from: number, end: number): Promise<Corruption | undefined> {
    const scanner = new FrameScanner(file, header, end, from);
    for (let frames = await scanner.next(); frames.length > 0; frames = await scanner.next()) {
      for (const { header: frame, payload, offset } of frames) {
        if (frame.position <= this.#last) return { offset, reason: 'the position is not above the one before' };
        this.#keep({ position: frame.position, chunks: [payload], payloadBytes: payload.length });
      }
      if (groupBytes(this.#group) >= logLimits.maxGroupBytes.default) await this.#flush();
    }
    return scanner.damage;
  }

  #keep(frame: OutgoingFrame): void {
    for (const range of this.#unboundedRanges) this.#lostRanges.push({ ...range, before: frame.position });
    this.#unboundedRanges = [];
    this.#group.push(frame);
    this.#last = frame.position;
    this.#frames++;
  }

  #lose(name: string, offset: number, bytes: number, reason: string): void {
    this.#unboundedRanges.push({
      file: join(this.#directory, name),
      offset,
      bytes,
      reason,
      after: this.#last,
      before: undefined,
    });
  }

  async #flush(): Promise<void> {
    if (this.#group.length > 0) await this.#target.commit(this.#group);
    this.#group = [];
  }
}
