import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Settings } from '../settings/settings.js';

/** The files of the built console. */
export interface Site {
  /** A file by its path below `/console/`; undefined if there is none. */
  read(path: string): Promise<Buffer | undefined>;
}

/**
 * The console that the settings name, or the one in the package beside this one. If that is not
 * built, there are no files.
 */
export function consoleSite({ consoleDir }: Pick<Settings, 'consoleDir'>): Site {
  const directory = consoleDir ?? builtConsole();
  return { read: async (path) => (directory === undefined ? undefined : fileIn(directory, path)) };
}

function builtConsole(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('@millrace/console/site'));
  } catch {
    return undefined;
  }
}

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
