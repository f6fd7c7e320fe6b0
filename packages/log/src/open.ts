import { fromFileSystem } from './errors.js';
import type { DirectoryLock, LogFileSystem } from './file-system.js';
import { type LogLimits, resolveLimits } from './limits.js';
import type { Log } from './log.js';
import { nodeFileSystem } from './node-file-system.js';
import { recover } from './recovery.js';
import { SegmentLog } from './segment-log.js';
import { SegmentStore } from './store.js';

export interface LogOptions {
  /** Created when missing. Contains only the log. */
  readonly directory: string;
  readonly limits?: Partial<LogLimits>;
  readonly fileSystem?: LogFileSystem;
}

/**
 * Opens (or creates) the log in a directory and recovers it.
 * @throws LogError `locked`, `corrupt` (with file, offset and remedy), `unsupported-version`,
 * `invalid-setting`, `io`
 */
export async function openLog(options: LogOptions): Promise<Log> {
  const { directory, fileSystem = nodeFileSystem } = options;
  const limits = resolveLimits(options.limits);
  let lock: DirectoryLock | undefined;
  try {
    await fileSystem.makeDirectory(directory);
    lock = await fileSystem.lock(directory);
    const { segments, recovery } = await recover(fileSystem, directory);
    const store = new SegmentStore(fileSystem, directory, limits.logSegmentBytes, segments);
    await store.resume();
    return new SegmentLog({ store, fileSystem, limits, recovery, lock });
  } catch (error) {
    await lock?.release();
    throw fromFileSystem(error, `opening ${directory}`);
  }
}
