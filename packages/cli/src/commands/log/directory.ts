import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.js';
import { messageOf } from '../../system-errors.js';

/**
 * Log directory of a path, which is the log or a data directory that contains it.
 * @throws Failure when there is none
 */
export async function logOf(path: string): Promise<string> {
  const isDirectory = (candidate: string) =>
    stat(candidate).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const inside = join(path, 'log');
  if (await isDirectory(inside)) return inside;
  if (!(await isDirectory(path))) throw new Failure('not-found', `${path} is no directory`);
  // Any other directory would look like an empty, intact log.
  if ((await readdir(path)).some((name) => name.endsWith('.log'))) return path;
  throw new Failure('not-found', `${path} holds no log; name the data directory of a server, or its log`);
}

/** Converts an error of the log into a Failure; rethrows other errors. */
export function logFailure(error: unknown): never {
  // Checked by name because only commands that read a log load its package.
  throw error instanceof Error && error.name === 'LogError'
    ? new Failure('failed', messageOf(error), { cause: error })
    : error;
}
