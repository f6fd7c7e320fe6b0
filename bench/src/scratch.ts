import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where a run keeps the data it measures with: gigabytes that nobody else would remove. */

const prefix = 'millrace-bench-';

/** Retries, because processes of a run write until they have ended. */
const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });

/**
 * Makes a directory for this run, and removes those of runs that were killed. Not in the system's
 * directory for temporary files, which is often in memory: there a sync costs nothing.
 * @returns its path, and a function that removes it; it is also removed when this process ends,
 * except by SIGKILL
 */
export function makeScratch(parent: string): { readonly directory: string; readonly remove: () => void } {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = /^millrace-bench-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(parent, name));
  }
  const directory = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const removed = (): void => remove(directory);
  process.once('exit', removed);
  return {
    directory,
    remove: () => {
      process.off('exit', removed);
      removed();
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
