/** Every way the log can fail. */
export type LogErrorCode =
  /** The file system has no space left; nothing was accepted. */
  | 'disk-full'
  /** The file system failed a read, a write or a sync. */
  | 'io'
  /** `maxLogBytes` is reached: release positions first. */
  | 'log-full'
  /** `maxPendingBytes` are waiting for the disk already. */
  | 'overloaded'
  /** One payload is longer than `maxFrameBytes`. */
  | 'frame-too-large'
  /** A limit or an option is out of range. */
  | 'invalid-setting'
  /** Another process has this log open. */
  | 'locked'
  /** Bytes that had been synced are damaged or missing. */
  | 'corrupt'
  /** A newer release wrote this log. */
  | 'unsupported-version'
  /** The log was closed. */
  | 'closed';

/**
 * The only error this package throws or rejects with. `message` names the file and offset where
 * there is one.
 */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Wraps an exception of a file system call; `doing` completes "failed while …". A LogError passes
 * unchanged.
 */
export function fromFileSystem(error: unknown, doing: string): LogError {
  if (error instanceof LogError) return error;
  const errno = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const full = errno === 'ENOSPC' || errno === 'EDQUOT';
  const text = full ? 'no space left on the log device' : error instanceof Error ? error.message : String(error);
  return new LogError(full ? 'disk-full' : 'io', `The log failed while ${doing}: ${text}`, { cause: error });
}

/** Whether a file system call failed because the file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
