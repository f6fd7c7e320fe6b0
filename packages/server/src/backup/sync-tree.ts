import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Fsyncs a file, or the names in a directory. */
export async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Fsyncs a directory and everything in it, the content before the names. Skips symbolic links. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await fsyncPath(path);
  }
  await fsyncPath(directory);
}
