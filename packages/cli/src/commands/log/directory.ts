import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.js';
import { messageOf } from '../../system-errors.js';

/**
 * The log that a path refers to: for a data directory, the log inside it.
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
  // Any other directory would pass for an empty, sound log.
  if ((await readdir(path)).some((name) => name.endsWith('.log'))) return path;
  throw new Failure('not-found', `${path} holds no log; name the data directory of a server, or its log`);
}

/**
 * Turns an error of the log into a failure with a message for the caller; rethrows everything else.
 */
export function logFailure(error: unknown): never {
  // Checked by name, because only commands that read a log load its package.
  throw error instanceof Error && error.name === 'LogError'
    ? new Failure('failed', messageOf(error), { cause: error })
    : error;
}
