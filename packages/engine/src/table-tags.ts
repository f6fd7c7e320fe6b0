import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableName } from './engine.js';
import { EngineError, fileError } from './errors.js';
import { unlessMissing } from './ignore-missing.js';

/*
 * A table metadata file names the table's directory by an ID, and nothing in a directory names the
 * table. If directories or metadata files are exchanged, for example when an operator restores
 * files by hand, the engine returns the rows of one table under the name of another. So each
 * directory contains a file that names the table; the engine ignores it.
 */

const markName = 'belongs-to';

/** Beginning of every table metadata file; within its first bytes. */
const headerPattern = /^ATTACH TABLE _ UUID '((...)[0-9a-f-]+)'/;
const beginningBytes = 128;

/** Tables that are checked at once. */
const atOnce = 16;

const nameOf = ({ database, table }: TableName): string => `${database}.${table}`;

/** Writes the name of a table into its directory. */
export async function tagTable(directory: string, table: TableName): Promise<void> {
  const mark = await markPath(directory, table);
  if (mark !== undefined) await unlessMissing(writeFile(mark, nameOf(table), { mode: 0o600 }));
}

/**
 * Makes sure that each table has its own directory; runs before the engine opens them. Tables of an
 * earlier version, which have no mark, get one.
 * @throws EngineError `unavailable` when directories were exchanged, or files cannot be read
 */
export const verifyTags = (directory: string): Promise<void> =>
  checkEach(directory).catch((error: unknown) => {
    throw error instanceof EngineError ? error : new EngineError('unavailable', fileError(error).detail);
  });

async function checkEach(directory: string): Promise<void> {
  const waiting = await tablesIn(join(directory, 'clickhouse', 'metadata'));
  const look = async (): Promise<void> => {
    for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) await checkMark(directory, table);
  };
  await Promise.all(Array.from({ length: atOnce }, look));
}

async function checkMark(directory: string, table: TableName): Promise<void> {
  const mark = await markPath(directory, table);
  const owner = mark && (await unlessMissing(readFile(mark, 'utf8')));
  // A mark that a crash interrupted is empty.
  if (owner === undefined || owner === '') return tagTable(directory, table);
  if (owner === nameOf(table)) return;
  throw new EngineError(
    'unavailable',
    `the files of the table ${nameOf(table)} are those of ${owner}: directories or definitions in ${directory} were exchanged; put them back`,
  );
}

async function tablesIn(metadata: string): Promise<TableName[]> {
  const entries = (await unlessMissing(readdir(metadata))) ?? [];
  const tables = entries
    .filter((entry) => entry.endsWith('.sql'))
    .map(async (entry): Promise<readonly TableName[]> => {
      const database = entry.slice(0, -'.sql'.length);
      const files = (await unlessMissing(readdir(join(metadata, database)))) ?? [];
      return files
        .filter((file) => file.endsWith('.sql'))
        .map((file) => ({ database, table: file.slice(0, -'.sql'.length) }));
    });
  return (await Promise.all(tables)).flat();
}

/** Path of a table's mark; undefined if its metadata file names no directory. */
async function markPath(directory: string, { database, table }: TableName): Promise<string | undefined> {
  const definition = join(directory, 'clickhouse', 'metadata', database, `${table}.sql`);
  const file = await unlessMissing(open(definition));
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes);
    const [, id, start] = headerPattern.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return id && start && join(directory, 'clickhouse', 'store', start, id, markName);
  } finally {
    await file.close();
  }
}
