import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { Failure } from '../failure.js';
import { isSystemError } from '../system-errors.js';

/**
 * Does something while no other process of this machine does the same with this file: two exports
 * would collect their rows in one part. The lock is a socket with a name but no file, which Linux
 * takes away from a process that ends, however it ends. Elsewhere there is no lock.
 * @throws Failure when another process is at it
 */
export async function alone<T>(output: string, work: () => Promise<T>): Promise<T> {
  const name = process.platform === 'linux' ? await nameOf(output) : undefined;
  // Whatever is wrong with the directory is found when the file is made.
  if (name === undefined) return work();
  const lock = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    lock.once('error', reject);
    lock.listen(name, resolve);
  }).catch((error: unknown) => {
    // Where there can be no socket, there is no lock.
    if (!isSystemError(error) || error.code !== 'EADDRINUSE') return;
    throw new Failure('failed', `another export writes ${output}; wait for it, or name another file`, { cause: error });
  });
  lock.unref();
  try {
    return await work();
  } finally {
    await new Promise((resolve) => lock.close(resolve));
  }
}

/** The same for every spelling of a path. */
async function nameOf(output: string): Promise<string | undefined> {
  const place = await stat(dirname(output)).catch(() => undefined);
  if (place === undefined) return undefined;
  const text = `${place.dev} ${place.ino} ${basename(output)}`;
  return `\0millrace-export-${createHash('sha256').update(text).digest('hex')}`;
}
