import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failure.js';

/**
 * The log a path means: of a data directory, the log inside it.
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
  // A wrong directory is not a sound log.
  if ((await readdir(path)).some((name) => name.endsWith('.log'))) return path;
  throw new Failure('not-found', `${path} holds no log; name the data directory of a server, or its log`);
}

/** A failure of the log, told to the person; rethrows everything else. */
export function logFailure(error: unknown): never {
  // By name: the package is loaded only by those who read a log.
  throw error instanceof Error && error.name === 'LogError'
    ? new Failure('failed', error.message, { cause: error })
    : error;
}
