import { join } from 'node:path';
import { databaseOver } from '../database.js';
import { timestamp, type Clock } from '../clock.js';
import { idBeforeFirst } from './org-number.js';
import { metadataOver } from '../metadata.js';
import { syncDirectory } from '../record-file.js';
import { spellingOf } from '../sql-dialect.js';
import { metadataName, openSqlite } from '../sqlite.js';

/** An organization to create. */
interface NewOrg {
  readonly id: string;
  readonly number: number;
  readonly name: string;
}

/**
 * Creates the metadata of an organization in its directory, which is durable when this resolves.
 * @returns the secret of its owner's personal token, which is not stored
 */
export async function createOrgMetadata(directory: string, org: NewOrg, clock: Clock): Promise<string> {
  const sqlite = openSqlite(join(directory, metadataName));
  const database = databaseOver(sqlite);
  const now = timestamp(clock);
  for (const statement of spellingOf(database).goOnFrom('datasets', 'id', idBeforeFirst(org.number)))
    await statement.execute(database);
  const { id, name } = org;
  await database.insertInto('org').values({ id, name, created: now, modified: now }).execute();
  const metadata = await metadataOver(database, clock);
  try {
    // Not by `setOwnerToken`: quotas that organizations share count by the ID of the token.
    const userId = (await metadata.users.owner()).id;
    return (await metadata.tokens.create({ kind: 'personal', name: 'Owner', userId })).secret;
  } finally {
    await metadata.close();
    syncDirectory(directory);
  }
}
