import { type InspectedSegment, inspectLog, type Problem } from './inspect.js';
import type { LogFileSystem } from './file-system.js';
import { nodeFileSystem } from './node-file-system.js';

/** Contents of one segment file. */
export interface SegmentReport {
  readonly file: string;
  /**
   * `torn`: the file ends in a write that was cut short and never acknowledged; opening the log
   * removes it.
   */
  readonly state: 'sound' | Problem['kind'];
  readonly frames: number;
  /** Positions of the first and last intact frame; undefined when there is none. */
  readonly firstPosition: bigint | undefined;
  readonly lastPosition: bigint | undefined;
  /** Size of the file, and how much of it is intact. */
  readonly bytes: number;
  readonly intactBytes: number;
  /** Where and why the file is not sound. */
  readonly offset: number | undefined;
  readonly reason: string | undefined;
}

/**
 * Reads every byte of a log and reports on each segment, oldest first, without changes. The log may
 * be in use: then the newest segment may look torn during a write.
 * @throws LogError `io`; damage is reported, not thrown
 */
export async function verifyLog(
  directory: string,
  fileSystem: LogFileSystem = nodeFileSystem,
): Promise<readonly SegmentReport[]> {
  return (await inspectLog(fileSystem, directory)).map(report);
}

function report({ path, size, segment, problem }: InspectedSegment): SegmentReport {
  const some = segment !== undefined && segment.frames > 0;
  return {
    file: path,
    state: problem?.kind ?? 'sound',
    frames: segment?.frames ?? 0,
    firstPosition: some ? segment.header.firstPosition : undefined,
    lastPosition: some ? segment.lastPosition : undefined,
    bytes: size,
    intactBytes: segment?.length ?? 0,
    offset: problem?.offset,
    reason: problem?.reason,
  };
}
