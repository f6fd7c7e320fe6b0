import { stat } from 'node:fs/promises';
import type { Metadata } from '@millrace/server/startup/offline';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { keepFilesPrivate } from '../private-files.js';
import { problemOf } from '../system-errors.js';

/**
 * Opens the metadata of a local data directory, with or without a running server. If they are in
 * PostgreSQL, the environment names the database.
 * @throws Failure if it is not a data directory; errors of `work`
 */
export async function withMetadata<T>(
  { env }: Pick<Io, 'env'>,
  directory: string,
  work: (metadata: Metadata) => Promise<T>,
): Promise<T> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new Failure('not-found', `${directory} is no directory; make it, or start the server once`);
  }
  keepFilesPrivate();
  const { openMetadataOf } = await import('@millrace/server/startup/offline');
  try {
    const metadata = await openMetadataOf(directory, env['MILLRACE_DATABASE_URL']);
    try {
      return await work(metadata);
    } finally {
      await metadata.close();
    }
  } catch (error) {
    throw error instanceof Failure
      ? error
      : new Failure('failed', `${directory}: ${problemOf(error)}`, { cause: error });
  }
}
