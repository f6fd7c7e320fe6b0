import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRecord } from '../record-file.js';

/** A directory's record of the database that has its metadata. */
interface HomeRecord {
  /** The name by which the database knows the directory. */
  readonly directory: string;
  /** Whether the metadata are in the database. Until then they may still be in the file. */
  readonly moved: boolean;
}

const recordName = 'database.json';

/** Whether a directory's metadata are in a PostgreSQL database. */
export const isElsewhere = (directory: string): boolean => readHome(directory)?.moved === true;

/**
 * @throws Error when the file is damaged: without it, the owner of the metadata in a database is
 * unknown
 */
export function readHome(directory: string): HomeRecord | undefined {
  const path = join(directory, recordName);
  if (!existsSync(path)) return undefined;
  const record = recordOf(readFileSync(path, 'utf8'));
  if (record === undefined)
    throw new Error(
      `${path} is damaged; write {"directory":"…","moved":true} into it, with the directory that the table home of the database names`,
    );
  return record;
}

function recordOf(text: string): HomeRecord | undefined {
  try {
    const { directory, moved } = JSON.parse(text) as Partial<Record<keyof HomeRecord, unknown>>;
    return typeof directory === 'string' && typeof moved === 'boolean' ? { directory, moved } : undefined;
  } catch {
    return undefined;
  }
}

export const writeHome = (directory: string, record: HomeRecord): void => writeRecord(directory, recordName, record);
