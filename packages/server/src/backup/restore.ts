import { mkdir, readdir, realpath, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { buildRestored, requireNoPatterns } from './build-restored.js';
import { readManifest, requireIntact } from './manifest.js';
import { fsyncPath, syncTree } from './sync-tree.js';
import { withStagingDirectory } from './staging-directory.js';

interface RestoreOptions {
  readonly backup: string;
  /** Must be empty or missing; appears complete or not at all. */
  readonly dataDir: string;
  /** Called before each dataset is loaded. */
  readonly progress?: (dataset: string, bytes: number) => void;
}

/**
 * Creates a data directory from a backup.
 * @throws Error with a message for the operator: no backup, a damaged file, a directory that is not
 * empty
 */
export async function restoreBackup({ backup, dataDir, progress }: RestoreOptions): Promise<void> {
  const manifest = await readManifest(backup);
  await requireEmpty(dataDir);
  // The target of a link: the built directory is renamed to it, and must be on the same disk.
  const target = await realpath(dataDir).catch(() => resolve(dataDir));
  requireNoPatterns(resolve(backup), target);
  await requireReplaceable(target);
  for (const file of manifest.files) await requireIntact(backup, file);
  await withStagingDirectory(`${target}.restoring`, async (building) => {
    await buildRestored({ manifest, backup, building, progress });
    await syncTree(building);
    await removeEmpty(target);
    await rename(building, target);
    await fsyncPath(dirname(target));
  });
}

/** @throws Error when the directory has entries, or is a file */
async function requireEmpty(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new Error(`${directory} is a file; restore into a new directory`);
    throw error;
  });
  if (entries.length > 0) throw notEmpty(directory);
}

/**
 * Checks that the directory can be replaced, before the work, by performing the same operations.
 * @throws Error when it cannot be, for example because a disk is mounted there
 */
async function requireReplaceable(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) return;
  await removeEmpty(directory);
  await mkdir(directory, { mode: found.mode & 0o777 });
}

/**
 * Removes the target if it is still empty: a server may have stored data there during the restore.
 */
async function removeEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw notEmpty(directory);
    if (code === 'EBUSY')
      throw new Error(
        `${directory} is where a disk is mounted, and cannot be replaced; restore into a new directory in it`,
        { cause: error },
      );
    throw error;
  }
}

const notEmpty = (directory: string): Error => new Error(`${directory} is not empty; restore into a new directory`);
