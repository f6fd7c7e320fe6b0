type MetadataErrorCode = keyof typeof reports;

const reports = {
  'disk-full': 'the disk of the metadata is full',
  locked: 'metadata database is locked by another process',
  unavailable: 'the disk of the metadata fails',
  away: 'metadata database unreachable',
  damaged:
    'metadata.sqlite is not a database, or a part of it is gone: put a whole copy back, or restore a backup into a new directory',
  outdated: 'a newer version has changed the metadata, and this one cannot go on',
} as const;

/**
 * The metadata could not be changed or read: the disk is full or fails, another process held the
 * lock for too long, or the database is unreachable. Either nothing was changed, or a commit took
 * effect and its response was lost; a later attempt may succeed.
 */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
  readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, cause: unknown) {
    super(reports[code], { cause });
    this.code = code;
  }

  /** The meaning of an SQLite error; undefined when the file is not the cause. */
  static of(error: unknown): MetadataError | undefined {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'SQLITE_FULL') return new MetadataError('disk-full', error);
    if (code === 'SQLITE_BUSY') return new MetadataError('locked', error);
    if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return new MetadataError('damaged', error);
    return code.startsWith('SQLITE_IOERR') ? new MetadataError('unavailable', error) : undefined;
  }
}
