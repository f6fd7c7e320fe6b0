type MetadataErrorCode = keyof typeof reports;

const reports = {
  'disk-full': 'the disk of the metadata is full',
  locked: 'another process has locked the metadata',
  unavailable: 'the disk of the metadata fails',
  away: 'the database of the metadata cannot be reached',
  damaged:
    'metadata.sqlite is not a database, or a part of it is gone: put a whole copy back, or restore a backup into a new directory',
  'left-behind': 'there are datasets on a shard that this process was not told of',
  outdated: 'a newer version has changed the metadata, and this one cannot go on',
} as const;

/**
 * The metadata could not be changed or read: the disk is full or fails, another process did not let
 * go of them, or their database is away. Either nothing was changed, or a commit took effect and
 * nobody could say so; a later attempt may succeed.
 */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
  readonly code: MetadataErrorCode;

  constructor(code: MetadataErrorCode, cause: unknown) {
    super(reports[code], { cause });
    this.code = code;
  }

  /** What an error of SQLite means; undefined when it is not about the file. */
  static of(error: unknown): MetadataError | undefined {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'SQLITE_FULL') return new MetadataError('disk-full', error);
    if (code === 'SQLITE_BUSY') return new MetadataError('locked', error);
    if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return new MetadataError('damaged', error);
    return code.startsWith('SQLITE_IOERR') ? new MetadataError('unavailable', error) : undefined;
  }
}
