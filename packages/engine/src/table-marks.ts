import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableName } from './engine.js';
import { EngineError, fileError } from './errors.js';
import { unlessMissing } from './unless-missing.js';

/*
 * A definition names the directory of its table by an id, and nothing in a directory says whose it
 * is. If two directories or two definitions are exchanged, as by somebody who puts files back by
 * hand, the engine answers with the rows of one table under the name of another. So a file in each
 * directory, at which the engine does not look, names the table.
 */

const markName = 'belongs-to';

/** How every definition begins; the first bytes have all of it. */
const beginning = /^ATTACH TABLE _ UUID '((...)[0-9a-f-]+)'/;
const beginningBytes = 128;

/** Tables that are looked at side by side. */
const atOnce = 16;

const nameOf = ({ database, table }: TableName): string => `${database}.${table}`;

/** Says in the directory of a table whose it is. */
export async function markTable(directory: string, table: TableName): Promise<void> {
  const mark = await markPath(directory, table);
  if (mark !== undefined) await unlessMissing(writeFile(mark, nameOf(table), { mode: 0o600 }));
}

/**
 * Makes certain that each table has its own directory; runs before the engine opens them. Those
 * without a mark, as an earlier version made them, get one.
 * @throws EngineError `unavailable` when directories were exchanged, or files cannot be read
 */
export const checkMarks = (directory: string): Promise<void> =>
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
  // One that was cut off by a crash is empty.
  if (owner === undefined || owner === '') return markTable(directory, table);
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

/** Where the mark of a table is or would be; undefined if its definition names no directory. */
async function markPath(directory: string, { database, table }: TableName): Promise<string | undefined> {
  const definition = join(directory, 'clickhouse', 'metadata', database, `${table}.sql`);
  const file = await unlessMissing(open(definition));
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes);
    const [, id, start] = beginning.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return id && start && join(directory, 'clickhouse', 'store', start, id, markName);
  } finally {
    await file.close();
  }
}
