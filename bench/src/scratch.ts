import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Directory for benchmark data: gigabytes, so each run removes what it created. */

const prefix = 'millrace-bench-';

/** Retries, because processes of a run write until they have ended. */
const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });

/**
 * Creates a directory for this run, and deletes those of killed runs. Not in the system's temporary
 * directory, which is often in memory, where an fsync costs nothing.
 * @returns its path, and a function that deletes it; it is also deleted when this process ends,
 * except by SIGKILL
 */
export function makeScratch(parent: string): { readonly directory: string; readonly remove: () => void } {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = /^millrace-bench-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(parent, name));
  }
  const directory = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const removeOnExit = (): void => remove(directory);
  process.once('exit', removeOnExit);
  return {
    directory,
    remove: () => {
      process.off('exit', removeOnExit);
      removeOnExit();
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
