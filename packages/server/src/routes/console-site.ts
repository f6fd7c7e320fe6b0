import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@millrace/http/settings/settings';

/** The files of the built console. */
export interface Site {
  /** Reads a file by its path below `/console/`; undefined if it does not exist. */
  read(path: string): Promise<Buffer | undefined>;
}

const builtConsole = fileURLToPath(new URL('../../../console/dist/site/', import.meta.url));

/**
 * Serves the console directory of the settings, or of the neighboring package. Has no files if that
 * is not built.
 */
export const consoleSite = ({ consoleDir = builtConsole }: Pick<Settings, 'consoleDir'>): Site => ({
  read: (path) => fileIn(consoleDir, path),
});

async function fileIn(directory: string, path: string): Promise<Buffer | undefined> {
  const names = path.split('/');
  // No name leads out of the directory, and none is hidden.
  if (!names.every((name) => /^[\w@~-][\w@~.-]*$/.test(name))) return undefined;
  try {
    return await readFile(join(directory, ...names));
  } catch {
    return undefined;
  }
}
