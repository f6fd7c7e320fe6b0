import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFileSystem } from '@millrace/log';

/**
 * Marks staging directories from their creation on; a directory without this file is not ours to
 * delete.
 */
const markName = 'millrace-restore';
const mark =
  'A restore builds a data directory here. When no restore is running, this directory may be removed; the next restore removes it too.\n';

/**
 * Runs work with an empty directory inside a staging directory at this path. Afterwards, also after
 * an error, removes the staging directory with everything in it. Removes data of a killed process
 * first.
 * @throws Error when something else is at this path, LogError `locked` when another process uses it
 */
export async function withStagingDirectory<T>(path: string, work: (directory: string) => Promise<T>): Promise<T> {
  await makeWorkplace(path);
  const lock = await nodeFileSystem.lock(path);
  const directory = join(path, 'data');
  const remove = (what: string): Promise<void> => rm(what, { recursive: true, force: true });
  try {
    await remove(directory);
    await mkdir(directory);
    return await work(directory);
  } finally {
    // The mark is removed after the data, so that a removal that is cut short leaves a directory
    // that the next restore recognizes as a workplace. A failed removal is left to the next
    // restore, and must not hide how the work ended.
    await remove(directory)
      .then(() => remove(path))
      .catch(() => undefined);
    await lock.release();
  }
}

/** Creates a staging directory, or adopts an existing one. */
async function makeWorkplace(path: string): Promise<void> {
  try {
    await nodeFileSystem.makeDirectory(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw inTheWay(path);
  }
  const names = await readdir(path);
  if (names.length > 0 && !names.includes(markName)) throw inTheWay(path);
  await writeFile(join(path, markName), mark);
}

const inTheWay = (path: string): Error =>
  new Error(
    `${path} is in the way, and nothing in it says that a restore made it; move it, or restore into another directory`,
  );
