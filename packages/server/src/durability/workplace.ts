import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFileSystem } from '@millrace/log';

/** In every workplace from its first moment on; without it a directory is somebody else's. */
const markName = 'millrace-restore';
const mark =
  'A restore builds a data directory here. When no restore is running, this directory may be removed; the next restore removes it too.\n';

/**
 * Runs work with an empty directory inside a workplace of this name. However the work ends, the workplace is removed, and with it what the work left
 * in the directory. One that a killed process left is removed first.
 * @throws Error when something else has the name, LogError `locked` when another process is at work there
 */
export async function inWorkplace(path: string, work: (directory: string) => Promise<void>): Promise<void> {
  await makeWorkplace(path);
  const lock = await nodeFileSystem.lock(path);
  const directory = join(path, 'data');
  const remove = (what: string): Promise<void> => rm(what, { recursive: true, force: true });
  try {
    await remove(directory);
    await mkdir(directory);
    await work(directory);
  } finally {
    // The mark goes after the data, so that a removal that is cut short leaves what the next one knows as a workplace. What cannot be removed is
    // removed by the next one, and must not hide how the work ended.
    await remove(directory)
      .then(() => remove(path))
      .catch(() => undefined);
    await lock.release();
  }
}

/** Makes a workplace, or finds the one that is there. */
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
