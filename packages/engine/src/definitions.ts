import { link, mkdir, readdir, readFile, rename, rm, stat, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableName } from './engine.js';
import { EngineError, fileError } from './errors.js';
import { checkMarks, markTable } from './table-marks.js';
import { codeOf, unlessMissing } from './unless-missing.js';

/*
 * The definition of a table is a file. When the disk is full, the engine replaces it with an empty
 * one, reports success, and opens none of its data at the next start. So whoever changes a
 * definition keeps the old file until the new one is seen to be whole. It is kept as a hard link,
 * which takes no room; an empty file stands for a table that is new.
 */

/**
 * With less room than this no definition is written at all; the largest, with thousands of columns,
 * take a few hundred kilobytes.
 */
const leastFreeBytes = 1 << 20;

/**
 * The engine ends every definition with the table's settings, or with its table engine if it has
 * none.
 */
const wholeDefinition = /\n(?:SETTINGS|ENGINE) [^\n]*\n$/;

const keptDirectory = (directory: string): string => join(directory, 'definitions');
const keptPath = (directory: string, { database, table }: TableName): string =>
  join(keptDirectory(directory), `${database}.${table}`);
const definitionPath = (directory: string, { database, table }: TableName): string =>
  join(directory, 'clickhouse', 'metadata', database, `${table}.sql`);

/**
 * Runs the statements that write definitions of tables in a directory: those of one table one at a
 * time, those of different tables side by side.
 */
export class Definitions {
  readonly #directory: string;
  /** The last statement of each table that has one under way. */
  readonly #last = new Map<string, Promise<void>>();
  #repaired: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when every definition begun so far has been checked. */
  async settled(): Promise<void> {
    await Promise.all([this.#repaired, ...this.#last.values()]);
  }

  /**
   * Restores definitions that were being written when the machine or the process stopped, or could
   * not be checked, once those begun so far have been. Runs before the engine opens the directory:
   * it would read one that is about to be replaced. Those begun later wait for it.
   */
  repair(): Promise<void> {
    const repaired = this.settled().then(() => this.#repair());
    this.#repaired = repaired.catch(() => undefined);
    return repaired;
  }

  async #repair(): Promise<void> {
    for (const name of (await unlessMissing(readdir(keptDirectory(this.#directory)))) ?? []) {
      const [database = '', table = ''] = name.split('.');
      await settle(this.#directory, { database, table });
    }
    await checkMarks(this.#directory);
  }

  /**
   * Runs a statement that writes the definition of a table.
   * @param run settles only when the engine has stopped working on it
   * @param broken called when the old definition had to be restored, or still has to be: the engine
   * is working with another one and must be restarted
   * @throws EngineError `disk-full` when there is no room for the definition, `internal` when its
   * files cannot be kept; whatever the statement throws
   */
  write(table: TableName, run: () => Promise<unknown>, broken: () => void): Promise<void> {
    const name = `${table.database}.${table.table}`;
    const written = Promise.all([this.#repaired, this.#last.get(name)])
      .then(() => this.#write(table, run, broken))
      .catch((error: unknown) => {
        throw fileError(error);
      });
    const last = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(name) === last) this.#last.delete(name);
      });
    this.#last.set(name, last);
    return written;
  }

  async #write(table: TableName, run: () => Promise<unknown>, broken: () => void): Promise<void> {
    const isNew = await keep(this.#directory, table);
    const failure = await run().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const whole = await settle(this.#directory, table).catch((error: unknown) => {
      // Nobody can tell which definition there is: the repair before the next start finds out.
      broken();
      throw error;
    });
    if (!whole) {
      broken();
      throw new EngineError('disk-full', 'the definition of a table was written in part; the one before it is back');
    }
    if (failure !== undefined) throw failure.error;
    // Without a mark it is taken for what it is called, and gets one at the next start.
    if (isNew) await markTable(this.#directory, table).catch(() => undefined);
  }
}

/** Returns whether there is no definition to keep, because the table is new. */
async function keep(directory: string, table: TableName): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < leastFreeBytes) throw new EngineError('disk-full', 'no room for the definition of a table');
  const kept = keptPath(directory, table);
  await mkdir(keptDirectory(directory), { recursive: true });
  const keepOld = (): Promise<unknown> => link(definitionPath(directory, table), kept).then(() => true);
  const linked = await unlessMissing(
    keepOld().catch(async (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      // An earlier one could not be checked.
      await settle(directory, table);
      return keepOld();
    }),
  );
  if (linked === undefined) await writeFile(kept, '', { mode: 0o600 });
  return linked === undefined;
}

/**
 * Whether the definition is whole; one that is not is replaced by the kept one, or removed if the
 * table was new. Every call to the file system waits for the work of others, such as the syncs of
 * the log, so there are as few as possible.
 */
async function settle(directory: string, table: TableName): Promise<boolean> {
  const kept = keptPath(directory, table);
  const path = definitionPath(directory, table);
  const text = await unlessMissing(readFile(path, 'utf8'));
  if (text === undefined || wholeDefinition.test(text)) {
    await unlessMissing(unlink(kept));
    return true;
  }
  const before = await unlessMissing(stat(kept));
  if (before === undefined) return true;
  if (before.size > 0) await rename(kept, path);
  else {
    await rm(path);
    await rm(kept);
  }
  return false;
}
