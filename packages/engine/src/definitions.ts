import { link, mkdir, readdir, readFile, rename, rm, stat, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableName } from './engine.js';
import { EngineError, fileError } from './errors.js';
import { verifyTags, tagTable } from './table-tags.js';
import { codeOf, unlessMissing } from './ignore-missing.js';

/*
 * The table metadata file is not written safely: on a full disk the engine replaces it with an
 * empty one, reports success, and opens none of the table's data at the next start. So a change of
 * the file keeps the old one until the new one is verified. The old file is kept as a hard link,
 * which takes no space; an empty file stands for a new table.
 */

/**
 * With less free space than this no metadata file is written; the largest, with thousands of
 * columns, take a few hundred kilobytes.
 */
const minFreeBytes = 1 << 20;

/**
 * The engine ends every metadata file with the table's settings, or with its table engine if it has
 * none.
 */
const wholeDefinition = /\n(?:SETTINGS|ENGINE) [^\n]*\n$/;

const keptDirectory = (directory: string): string => join(directory, 'definitions');
const keptPath = (directory: string, { database, table }: TableName): string =>
  join(keptDirectory(directory), `${database}.${table}`);
const definitionPath = (directory: string, { database, table }: TableName): string =>
  join(directory, 'clickhouse', 'metadata', database, `${table}.sql`);

/**
 * Runs the statements that write table metadata files in a directory: one at a time per table,
 * concurrently for different tables.
 */
export class Definitions {
  readonly #directory: string;
  /** The last statement of each table with a statement in flight. */
  readonly #last = new Map<string, Promise<void>>();
  #repairPromise: Promise<void> = Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Resolves when every write begun so far has been checked. */
  async whenRepaired(): Promise<void> {
    await Promise.all([this.#repairPromise, ...this.#last.values()]);
  }

  /**
   * Restores metadata files that were being written when the machine or the process stopped, or
   * could not be checked, once the writes begun so far are over. Runs before the engine opens the
   * directory, which would otherwise read a file that is about to be replaced. Later writes wait
   * for it.
   */
  repair(): Promise<void> {
    const repaired = this.whenRepaired().then(() => this.#repair());
    this.#repairPromise = repaired.catch(() => undefined);
    return repaired;
  }

  async #repair(): Promise<void> {
    for (const name of (await unlessMissing(readdir(keptDirectory(this.#directory)))) ?? []) {
      const [database = '', table = ''] = name.split('.');
      await settle(this.#directory, { database, table });
    }
    await verifyTags(this.#directory);
  }

  /**
   * Runs a statement that writes the metadata file of a table.
   * @param run settles only when the engine has stopped working on it
   * @param broken called when the old file had to be restored, or still has to be: the engine is
   * working with another one and must be restarted
   * @throws EngineError `disk-full` when there is no space for the file, `internal` when a copy
   * cannot be kept; errors of the statement
   */
  write(table: TableName, run: () => Promise<unknown>, broken: () => void): Promise<void> {
    const name = `${table.database}.${table.table}`;
    const written = Promise.all([this.#repairPromise, this.#last.get(name)])
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
      // Which metadata file is in place is unknown: the repair before the next start finds out.
      broken();
      throw error;
    });
    if (!whole) {
      broken();
      throw new EngineError('disk-full', 'the definition of a table was written in part; the one before it is back');
    }
    if (failure !== undefined) throw failure.error;
    // A table without the mark is identified by its name, and gets the mark at the next start.
    if (isNew) await tagTable(this.#directory, table).catch(() => undefined);
  }
}

/** Keeps the present metadata file; returns whether there is none, because the table is new. */
async function keep(directory: string, table: TableName): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < minFreeBytes) throw new EngineError('disk-full', 'no room for the definition of a table');
  const kept = keptPath(directory, table);
  await mkdir(keptDirectory(directory), { recursive: true });
  const keepOld = (): Promise<unknown> => link(definitionPath(directory, table), kept).then(() => true);
  const linked = await unlessMissing(
    keepOld().catch(async (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      // An earlier write could not be checked.
      await settle(directory, table);
      return keepOld();
    }),
  );
  if (linked === undefined) await writeFile(kept, '', { mode: 0o600 });
  return linked === undefined;
}

/**
 * Whether the metadata file is complete; an incomplete one is replaced by the kept one, or removed
 * if the table was new. Every call to the file system waits for other work, such as the syncs of
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
