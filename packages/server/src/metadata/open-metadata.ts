import type { Clock } from './clock.js';
import { type Metadata, metadataOver, openMetadata } from './metadata.js';
import { type Quota, unlimited } from './quota.js';

/** Where metadata are: a file, or a PostgreSQL database; how long that may take for an answer, in milliseconds. */
type MetadataAddress = { readonly file: string } | { readonly url: string; readonly patience?: number };

/**
 * Opens the metadata wherever they are.
 * @throws MetadataError when a database cannot be reached, Error when the file or the database cannot be used
 */
export async function openMetadataIn(
  address: MetadataAddress,
  clock: Clock = Date.now,
  quota: Quota = unlimited,
): Promise<Metadata> {
  if ('file' in address) return openMetadata(address.file, clock, quota);
  const { openPostgres } = await import('./postgres/open-postgres.js');
  const { database, shared } = await openPostgres(address.url, address.patience);
  try {
    return await metadataOver(database, clock, quota, shared);
  } catch (error) {
    await shared.close();
    throw error;
  }
}
