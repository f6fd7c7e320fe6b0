import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { readSettings } from '@millrace/server';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { problemOf } from '../system-errors.js';
import { closestExisting } from './closest-directory.js';

type ServerSettings = Extract<ReturnType<typeof readSettings>, { readonly ok: true }>['settings'];

/** Why a data directory cannot be used. */
interface Problem {
  readonly text: string;
  /** What to do about it, other than choosing another directory. */
  readonly remedy?: string;
}

/** What to do about a problem: its remedy, or another directory. */
export const remedyOf = ({ remedy }: Problem, elsewhere = 'choose another directory with --data-dir'): string =>
  remedy === undefined ? elsewhere : `${remedy}, or ${elsewhere}`;

const canUse = constants.R_OK | constants.W_OK | constants.X_OK;

/** Subdirectories with files of the server; a start as another user may have created them. */
const parts: readonly string[] = ['log', 'engine'];

/** Why this user cannot store data in a directory, or create it. Changes nothing. */
export async function directoryProblem(path: string): Promise<Problem | undefined> {
  const found = await closestExisting(path);
  try {
    if (!(await stat(found)).isDirectory()) return { text: `${found} is a file` };
    await access(found, canUse);
  } catch (error) {
    return unusable(found, error);
  }
  if (found !== path) return undefined;
  for (const name of await readdir(path)) {
    if (!parts.includes(name)) continue;
    const part = join(path, name);
    try {
      await access(part, canUse);
    } catch (error) {
      return unusable(part, error);
    }
  }
  return undefined;
}

const unusable = (path: string, error: unknown): Problem => ({
  text: `${path} cannot be used: ${problemOf(error)}`,
  remedy: 'make it writable for this user',
});

/** Free bytes of the disk of a directory; undefined if its file system does not say. */
export async function freeBytes(path: string): Promise<number | undefined> {
  const found = await statfs(await closestExisting(path)).catch(() => undefined);
  // Pseudo file systems report no blocks.
  return found === undefined || found.blocks === 0 ? undefined : found.bavail * found.bsize;
}

/** Space for the files of an empty server: its engine, metadata and log. */
const emptyServerBytes = 32 * 2 ** 20;

/**
 * Why the disk has no space for a new server. A server with data starts on a full disk: queries
 * work, and deletions free space.
 */
export async function spaceProblem({
  dataDir,
  diskReserveBytes,
  nodes,
}: Pick<ServerSettings, 'dataDir' | 'diskReserveBytes' | 'nodes'>): Promise<Problem | undefined> {
  // Such a node stores nothing here.
  if (nodes === 'shared') return undefined;
  const path = resolve(dataDir);
  const isUsed = await stat(join(path, 'log')).then(
    () => true,
    () => false,
  );
  const free = isUsed ? undefined : await freeBytes(path);
  const needed = emptyServerBytes + diskReserveBytes;
  return free === undefined || free >= needed
    ? undefined
    : {
        text: `the disk of ${path} has ${humanBytes(free)} free, and a new server needs ${humanBytes(needed)}`,
        remedy: 'free some space',
      };
}
