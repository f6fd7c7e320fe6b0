import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../metadata/database.js';

const newName = (): string => `metadata-${randomUUID()}.sqlite`;
const ofCopy = /^metadata-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.sqlite(?:-journal)?$/;

/**
 * Copies the current metadata to an open file in the directory. Its name is already removed, so it is gone when it is closed: it holds the hashes of
 * all tokens.
 */
export async function copyMetadata(database: Database, directory: string): Promise<FileHandle> {
  const path = join(directory, newName());
  try {
    await sql`VACUUM INTO ${path}`.execute(database);
    return await open(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes copies that still had their names when a process was killed. Call it while no copy is being made. */
export async function removeCopies(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (ofCopy.test(name)) await rm(join(directory, name), { force: true });
}
