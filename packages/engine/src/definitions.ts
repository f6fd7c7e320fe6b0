import { link, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableName } from './engine.js';
import { EngineError } from './errors.js';

/*
 * The definition of a table is a file. When the disk is full the engine writes an empty one in its place, says that all went well, and
 * opens none of its data at the next start. So whoever changes a definition keeps the old file until the new one is seen to be whole. It
 * is kept by a second name, which takes no room; an empty file stands for a table that is new.
 */

/** With less room than this no definition is written at all; the largest, of thousands of columns, take some hundred kilobytes. */
const leastFreeBytes = 1 << 20;

/** The engine ends every definition with the settings of the table, or its kind if that has none. */
const wholeDefinition = /\n(?:SETTINGS|ENGINE) [^\n]*\n$/;

const keptDirectory = (directory: string): string => join(directory, 'definitions');
const keptPath = (directory: string, { database, table }: TableName): string =>
  join(keptDirectory(directory), `${database}.${table}`);
const definitionPath = (directory: string, { database, table }: TableName): string =>
  join(directory, 'clickhouse', 'metadata', database, `${table}.sql`);

/**
 * Runs a statement that writes the definition of a table. One at a time in a directory.
 * @param broken called when the definition had to be put back: the engine works with another one and has to be started again
 * @throws EngineError `disk-full` when there is no room for it; what the statement throws
 */
export async function defining(
  directory: string,
  table: TableName,
  run: () => Promise<unknown>,
  broken: () => void,
): Promise<void> {
  await keep(directory, table);
  const failure = await run().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (!(await settle(directory, table))) {
    broken();
    throw new EngineError('disk-full', 'the definition of a table was written in part; the one before it is back');
  }
  if (failure !== undefined) throw failure.error;
}

/** Puts back what was being written when the machine or the process ended. Before the engine opens the directory. */
export async function repairDefinitions(directory: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(keptDirectory(directory)))) ?? []) {
    const [database = '', table = ''] = name.split('.');
    await settle(directory, { database, table });
  }
}

async function keep(directory: string, table: TableName): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < leastFreeBytes) throw new EngineError('disk-full', 'no room for the definition of a table');
  const kept = keptPath(directory, table);
  try {
    await mkdir(keptDirectory(directory), { recursive: true });
    await settle(directory, table);
    const linked = await unlessMissing(link(definitionPath(directory, table), kept).then(() => true));
    if (linked === undefined) await writeFile(kept, '', { mode: 0o600 });
  } catch (error) {
    throw codeOf(error) === 'ENOSPC' ? new EngineError('disk-full', String(error)) : error;
  }
}

/** Whether the definition is whole; one that is not is the one before again, or gone if there was none. */
async function settle(directory: string, table: TableName): Promise<boolean> {
  const kept = keptPath(directory, table);
  const path = definitionPath(directory, table);
  const before = await unlessMissing(stat(kept));
  if (before === undefined) return true;
  const text = await unlessMissing(readFile(path, 'utf8'));
  const whole = text === undefined || wholeDefinition.test(text);
  if (!whole && before.size > 0) await rename(kept, path);
  else {
    if (!whole) await rm(path);
    await rm(kept);
  }
  return whole;
}

/** Undefined where the file is not there; what else is wrong with it is thrown. */
const unlessMissing = <T>(file: Promise<T>): Promise<T | undefined> =>
  file.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
