import { join } from 'node:path';
import { fromFileSystem, LogError } from './errors.js';
import type { LogFile, LogFileSystem } from './file-system.js';
import { isUnfinished } from './format.js';
import { type InspectedSegment, inspectLog } from './inspect.js';
import type { Segment } from './segment.js';
import { useFile } from './with-file.js';

/** The incomplete end of the newest segment, left by a crash and removed by recovery. */
export interface TornTail {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly reason: string;
}

/** Findings of the recovery in `openLog`. */
export interface Recovery {
  readonly segments: number;
  readonly frames: number;
  readonly bytes: number;
  readonly cut?: TornTail;
}

/**
 * Reads a whole log directory, cuts a torn tail, and makes sure that everything it returns is on
 * disk.
 * @throws LogError `corrupt` and `unsupported-version` without having changed a segment; `io`
 */
export async function recover(
  fileSystem: LogFileSystem,
  directory: string,
): Promise<{ readonly segments: Segment[]; readonly recovery: Recovery }> {
  const inspected = await inspectLog(fileSystem, directory);
  const bad = inspected.find((found) => found.problem !== undefined && found.problem.kind !== 'torn');
  if (bad !== undefined) throw refusal(bad, directory);
  try {
    for (const name of await fileSystem.list(directory)) {
      if (isUnfinished(name)) await fileSystem.remove(join(directory, name));
    }
    await settle(fileSystem, inspected.at(-1));
    // The newest segment may have got its name just before the crash.
    await fileSystem.syncDirectory(directory);
  } catch (error) {
    throw fromFileSystem(error, `recovering ${directory}`);
  }
  const segments = inspected.flatMap((found) => found.segment ?? []);
  const cut = inspected.map(tornTail).find((tail) => tail !== undefined);
  const sum = (of: (segment: Segment) => number): number => segments.reduce((total, segment) => total + of(segment), 0);
  const recovery = {
    segments: segments.length,
    frames: sum((segment) => segment.frames),
    bytes: sum((segment) => segment.length),
  };
  return { segments, recovery: cut === undefined ? recovery : { ...recovery, cut } };
}

/** Cuts the newest segment after its intact part, and writes and syncs its last group again. */
async function settle(fileSystem: LogFileSystem, newest: InspectedSegment | undefined): Promise<void> {
  const segment = newest?.segment;
  if (newest === undefined || segment === undefined) return;
  await useFile(fileSystem, newest.path, 'update', async (file) => {
    await rewrite(file, segment.lastGroupOffset, segment.length);
    // Even when the file seems to end here: an earlier truncation whose sync failed is visible in
    // memory but not on disk, and the bytes after it would return. This also syncs the rewritten
    // bytes.
    await file.truncate(segment.length);
  });
}

/** How many bytes are copied onto themselves at a time. */
const rewriteBytes = 1024 * 1024;

/**
 * Overwrites bytes with the same bytes. After a failed sync, the kernel may mark pages clean that
 * never reached the disk: data read here could be lost later, and no sync would detect it. Only the
 * last group can be affected.
 */
async function rewrite(file: LogFile, from: number, end: number): Promise<void> {
  for (let at = from; at < end; at += rewriteBytes) {
    const block = new Uint8Array(Math.min(rewriteBytes, end - at));
    await file.read(block, at);
    await file.write([block], at);
  }
}

function tornTail({ path, size, segment, problem }: InspectedSegment): TornTail | undefined {
  if (segment === undefined || problem === undefined) return undefined;
  return { file: path, offset: segment.length, bytes: size - segment.length, reason: problem.reason };
}

function refusal({ path, segment, problem }: InspectedSegment, directory: string): LogError {
  if (problem?.kind === 'newer') {
    return new LogError('unsupported-version', `${path} was written by a newer release; start that release instead.`);
  }
  const intact = segment === undefined ? '' : ` Position ${segment.lastPosition} is the last intact one before it.`;
  return new LogError(
    'corrupt',
    `The log is damaged in ${path} at byte ${problem?.offset}: ${problem?.reason}.${intact} Nothing was changed. ` +
      `Restore the directory from a backup, or run "millrace log verify ${directory}" for a full report and ` +
      `"millrace log salvage ${directory} TARGET" to copy every intact frame into a new log.`,
  );
}
