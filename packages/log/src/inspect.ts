import { join } from 'node:path';
import { fromFileSystem, isMissing } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { decodeSegmentHeader, segmentHeaderBytes, type SegmentHeader, segmentName, segmentNamed } from './format.js';
import { type Corruption, FrameScanner } from './scan.js';
import { findFrame } from './search.js';
import { Segment } from './segment.js';
import { useFile } from './with-file.js';

/**
 * The damage of a segment file. `torn`: the last write was cut short by a crash and was never
 * acknowledged. `corrupt`: bytes that had been on disk are damaged. `missing`: the previous segment
 * is missing although it was not released. `newer`: a newer release wrote it.
 */
export interface Problem extends Corruption {
  readonly kind: 'torn' | 'corrupt' | 'missing' | 'newer';
}

export interface InspectedSegment {
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  /** The intact part from the start of the file; undefined if even the header is damaged. */
  readonly segment: Segment | undefined;
  readonly problem: Problem | undefined;
}

/** The segment names in a directory, oldest first. */
export async function segmentNames(fileSystem: LogFileSystem, directory: string): Promise<readonly string[]> {
  const names = await fileSystem.list(directory);
  return names.filter((name) => segmentNamed(name) !== undefined).sort();
}

/** Reads a file's segment header. */
export async function readHeader(file: LogFile): Promise<ReturnType<typeof decodeSegmentHeader>> {
  const bytes = new Uint8Array(segmentHeaderBytes);
  return decodeSegmentHeader(bytes.subarray(0, await file.read(bytes, 0)));
}

/**
 * Reads every byte of a log directory without changes.
 * @throws LogError `io`; damage is reported, not thrown
 */
export async function inspectLog(fileSystem: LogFileSystem, directory: string): Promise<readonly InspectedSegment[]> {
  const inspected: InspectedSegment[] = [];
  try {
    const names = await segmentNames(fileSystem, directory);
    // Newest first: each header contains the length of the previous segment.
    let next: SegmentHeader | undefined;
    for (const [index, name] of [...names].reverse().entries()) {
      const path = join(directory, name);
      const previous = names.at(-index - 2);
      const found = await inspectFile(fileSystem, { name, path, next, previous });
      if (found === undefined) continue;
      inspected.unshift(found);
      next = found.segment?.header;
    }
  } catch (error) {
    throw fromFileSystem(error, `reading the segments in ${directory}`);
  }
  return inspected;
}

/** A segment file, the header of the segment after it, and the name of the file before it. */
interface SegmentFile {
  readonly name: string;
  readonly path: string;
  readonly next: SegmentHeader | undefined;
  readonly previous: string | undefined;
}

/** Returns undefined if a log in use deleted the segment concurrently. */
async function inspectFile(fileSystem: LogFileSystem, found: SegmentFile): Promise<InspectedSegment | undefined> {
  try {
    return await useFile(fileSystem, found.path, 'read', (file) => inspectSegment(file, found));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function inspectSegment(file: LogFile, { name, path, next, previous }: SegmentFile): Promise<InspectedSegment> {
  const size = await file.size();
  const header = await readHeader(file);
  const sealed = next === undefined || segmentName(next.previousFirst) !== name ? undefined : next.previousLength;
  const damagedHeader = (kind: Problem['kind'], reason: string): InspectedSegment => {
    return { path, size, segment: undefined, problem: { kind, offset: 0, reason } };
  };
  if (header === 'newer version') return damagedHeader('newer', 'a newer release wrote this segment');
  if (header === 'damaged') return damagedHeader('corrupt', 'the segment header is damaged');
  if (segmentName(header.firstPosition) !== name) return damagedHeader('corrupt', 'the file was renamed');

  const segment = new Segment(header);
  // Less than the file size if rejected appends remain after the sealed length.
  const end = Math.min(size, sealed ?? size);
  const scanner = new FrameScanner(file, header, end);
  for (let frames = await scanner.next(); frames.length > 0; frames = await scanner.next()) {
    for (const { header } of frames) segment.add(header);
  }
  const found = { path, size, segment };
  const damage = scanner.damage ?? shortenedSegment(segment, sealed ?? header.syncedLength);
  if (damage !== undefined) {
    const wasSynced = sealed !== undefined || next !== undefined || (await wasOnDisk(file, segment, size));
    return { ...found, problem: { ...damage, kind: wasSynced ? 'corrupt' : 'torn' } };
  }
  if (previous !== undefined && segmentName(header.previousFirst) !== previous) {
    const gone = segmentName(header.previousFirst);
    return { ...found, problem: { kind: 'missing', offset: 0, reason: `the segment before it, ${gone}, is missing` } };
  }
  return { ...found, problem: undefined };
}

function shortenedSegment(segment: Segment, length: number): Corruption | undefined {
  if (segment.length >= length) return undefined;
  return { offset: segment.length, reason: `the file ends before its recorded length of ${length} bytes` };
}

/**
 * Whether damaged bytes after the intact part of the newest segment had been synced (see
 * format.ts).
 */
async function wasOnDisk(file: LogFile, segment: Segment, size: number): Promise<boolean> {
  if (segment.length < segment.header.syncedLength) return true;
  const proof = await findFrame(file, segment.header, segment.length, size, {
    after: segment.lastPosition,
    groupAfter: segment.length,
  });
  return proof !== undefined;
}
