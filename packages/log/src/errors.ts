/** Every way the log can fail, once: what it means, and whether trying the same call again later can succeed. */
const errorCodes = {
  'disk-full': { retryable: true, meaning: 'the file system has no space left; nothing was accepted' },
  io: { retryable: true, meaning: 'the file system failed a read, a write or a sync' },
  'log-full': { retryable: true, meaning: 'maxLogBytes is reached: release positions first' },
  overloaded: { retryable: true, meaning: 'maxPendingBytes are waiting for the disk already' },
  'frame-too-large': { retryable: false, meaning: 'one payload is longer than maxFrameBytes' },
  'invalid-setting': { retryable: false, meaning: 'a limit or an option is out of range' },
  locked: { retryable: false, meaning: 'another process has this log open' },
  corrupt: { retryable: false, meaning: 'bytes that had been synced are damaged or missing' },
  'unsupported-version': { retryable: false, meaning: 'a newer release wrote this log' },
  closed: { retryable: false, meaning: 'the log was closed' },
} as const satisfies Record<string, { readonly retryable: boolean; readonly meaning: string }>;

export type LogErrorCode = keyof typeof errorCodes;

/** The only error this package throws or rejects with. `message` names the file and offset where there is one. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** True when the same call can succeed later without anybody repairing anything. */
  get retryable(): boolean {
    return errorCodes[this.code].retryable;
  }
}

/** Wraps what a file system call threw; `doing` completes "failed while …". A LogError passes unchanged. */
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
