import { fromFileSystem, isMissing, LogError } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { FrameScanner } from './scan.js';
import type { Segment } from './segment.js';
import type { SegmentStore } from './store.js';

/** One append as it is read back. */
export interface Frame {
  readonly position: bigint;
  readonly payload: Uint8Array;
}

/**
 * The durable frames with `from` ≤ position ≤ `upTo`, in order; segments may be added and released
 * concurrently.
 */
export async function* readFrames(
  fileSystem: LogFileSystem,
  store: SegmentStore,
  from: bigint,
  upTo: bigint,
): AsyncGenerator<Frame, void, undefined> {
  let at = from;
  for (;;) {
    const segment = store.segments.find(({ lastPosition }) => lastPosition >= at);
    if (segment === undefined || segment.header.firstPosition > upTo || at > upTo) return;
    // The segment may grow while it is read; the next iteration finds the added frames.
    const { length, lastPosition } = segment;
    const file = await openSegment(fileSystem, store, segment);
    if (file !== undefined) yield* readSegment(file, segment, length, at, upTo, store.path(segment));
    at = lastPosition + 1n;
  }
}

/** Returns undefined if the segment was released and deleted concurrently. */
async function openSegment(
  fileSystem: LogFileSystem,
  store: SegmentStore,
  segment: Segment,
): Promise<LogFile | undefined> {
  const path = store.path(segment);
  try {
    return await fileSystem.open(path, 'read');
  } catch (error) {
    if (segment.isReleased && isMissing(error)) return undefined;
    throw fromFileSystem(error, `opening ${path}`);
  }
}

async function* readSegment(
  file: LogFile,
  segment: Segment,
  length: number,
  from: bigint,
  upTo: bigint,
  path: string,
): AsyncGenerator<Frame, void, undefined> {
  try {
    const scanner = new FrameScanner(file, segment.header, length, segment.offsetNear(from));
    for (let frames = await scanner.next(); frames.length > 0; frames = await scanner.next()) {
      for (const { header, payload } of frames) {
        const { position } = header;
        if (position > upTo) return;
        if (position >= from) yield { position, payload };
      }
    }
    if (scanner.damage !== undefined) {
      const { offset, reason } = scanner.damage;
      throw new LogError('corrupt', `The log is damaged in ${path} at byte ${offset}: ${reason}.`);
    }
  } catch (error) {
    throw fromFileSystem(error, `reading ${path}`);
  } finally {
    await file.close();
  }
}
