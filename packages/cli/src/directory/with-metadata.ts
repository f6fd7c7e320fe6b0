import { stat } from 'node:fs/promises';
import type { Metadata } from '@millrace/server/offline';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { keepFilesPrivate } from '../private-files.js';
import { problemOf } from '../system-errors.js';

/**
 * Works on the metadata of a data directory on this machine, whether or not a server runs on it.
 * Where they are in a database, the environment says which.
 * @throws Failure if it is no data directory, and for whatever `work` throws
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
  const { openMetadataOf } = await import('@millrace/server/offline');
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
