import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Disk usage in bytes of all files below a directory. Each file counts once: symbolic links to
 * directories are not followed (the engine keeps one per table), and hard links are one file. Files
 * that are deleted during the scan count as 0.
 */
export function bytesOnDisk(directory: string): number {
  const files = new Map<string, number>();
  for (const path of filesBelow(directory)) {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file?.isFile() === true) files.set(`${file.dev} ${file.ino}`, file.blocks * bytesOfBlock);
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The unit of `stat`, whatever blocks the file system has. */
const bytesOfBlock = 512;

function* filesBelow(directory: string): Generator<string> {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
