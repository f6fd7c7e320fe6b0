import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.js';
import type { Database } from './database.js';
import { type Metadata, metadataOver, metadataOverFile, openMetadata, type ProcessCoordination } from './metadata.js';
import { type Quota, unlimitedQuota } from './quota.js';
import { isElsewhere } from './postgres/binding-record.js';
import { metadataName } from './sqlite.js';
import type LibsqlDatabase from 'libsql';

/** Opened metadata: a file, or a PostgreSQL database, possibly shared. */
export type OpenedMetadata =
  | { readonly sqlite: LibsqlDatabase.Database }
  | { readonly database: Database; readonly shared: ProcessCoordination };

/** The stores over the opened metadata; closing them closes it. */
export async function metadataIn(
  opened: OpenedMetadata,
  clock: Clock = Date.now,
  quota: Quota = unlimitedQuota,
): Promise<Metadata> {
  if ('sqlite' in opened) return metadataOverFile(opened.sqlite, clock, quota);
  try {
    return await metadataOver(opened.database, clock, quota, opened.shared);
  } catch (error) {
    await opened.shared.close();
    throw error;
  }
}

/** Address of metadata: a file, or a PostgreSQL database with a timeout in milliseconds. */
type MetadataAddress = { readonly file: string } | { readonly url: string; readonly patience?: number };

/**
 * Opens metadata in either store.
 * @throws MetadataError when a database cannot be reached, Error when the file or the database
 * cannot be used
 */
export async function openMetadataIn(address: MetadataAddress, clock?: Clock, quota?: Quota): Promise<Metadata> {
  if ('file' in address) return openMetadata(address.file, clock, quota);
  const { openPostgres } = await import('./postgres/open-postgres.js');
  return metadataIn(await openPostgres(address.url, address), clock, quota);
}

/**
 * Opens the metadata of a data directory, for commands that run next to a server or without one. A
 * directory without metadata may be that of a node that shares a database.
 * @param databaseUrl the server's setting of this name
 * @throws Error with a message for the operator
 */
export async function openMetadataOf(directory: string, databaseUrl: string | undefined): Promise<Metadata> {
  const file = join(directory, metadataName);
  if (!isElsewhere(directory)) {
    if (databaseUrl === undefined || existsSync(file)) return openMetadata(file);
    const { openBoundSharedDatabase } = await import('./postgres/shared-binding.js');
    return metadataIn(await openBoundSharedDatabase(databaseUrl));
  }
  if (databaseUrl === undefined)
    throw new Error('the metadata are in a PostgreSQL database; set MILLRACE_DATABASE_URL to its address');
  const { openBoundDatabase } = await import('./postgres/database-binding.js');
  return metadataIn(await openBoundDatabase(directory, databaseUrl));
}
