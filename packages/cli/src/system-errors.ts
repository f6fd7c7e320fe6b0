/** User-facing messages for operating system errors. */

/** Message by error code. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  EDQUOT: 'the quota of this user is used up',
  EEXIST: 'something else is there already',
  EHOSTUNREACH: 'there is no way to that host',
  EIO: 'the disk, or what it is connected by, fails',
  EISDIR: 'it is a directory',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENETUNREACH: 'there is no way to that network',
  ENFILE: 'too many files are open',
  ENOENT: 'there is no such file or directory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no directory',
  ENOTEMPTY: 'the directory is not empty',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'it did not answer in time',
};

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

/** Narrows to an operating system error, such as a full disk or missing permission. */
export const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';

/** Describes an error without its path, for messages that name the file themselves. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  // The error of several addresses of a host has no message, and some have a code alone.
  if (message === '') {
    const first: unknown = error instanceof AggregateError ? error.errors[0] : cause;
    if (first !== undefined) return problemOf(first);
    return 'code' in error && typeof error.code === 'string' ? (words[error.code] ?? error.code) : error.name;
  }
  if (isSystemError(error)) return words[error.code] ?? message;
  // Other packages append the text of their cause.
  return isSystemError(cause) ? message.replace(cause.message, () => messageOf(cause)) : message;
}

/** Describes an error, including its path. */
export function messageOf(error: unknown): string {
  const known = isSystemError(error) && Object.hasOwn(words, error.code) && error.path !== undefined;
  return known ? `${error.path}: ${problemOf(error)}` : problemOf(error);
}
