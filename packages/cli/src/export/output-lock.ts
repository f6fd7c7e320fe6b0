import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { Failure } from '../failure.js';
import { isSystemError } from '../system-errors.js';

/**
 * Runs `work` under a lock on the output file: two exports would write to the same partial file.
 * The lock is an abstract socket, which Linux releases when the process ends. Other systems have no
 * lock.
 * @throws Failure when another process holds it
 */
export async function withOutputLock<T>(output: string, work: () => Promise<T>): Promise<T> {
  const name = process.platform === 'linux' ? await nameOf(output) : undefined;
  // Problems of the directory surface when the file is created.
  if (name === undefined) return work();
  const lock = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    lock.once('error', reject);
    lock.listen(name, resolve);
  }).catch((error: unknown) => {
    // No lock where sockets are unavailable.
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

/** Lock name, equal for all spellings of a path. */
async function nameOf(output: string): Promise<string | undefined> {
  const place = await stat(dirname(output)).catch(() => undefined);
  if (place === undefined) return undefined;
  const text = `${place.dev} ${place.ino} ${basename(output)}`;
  return `\0millrace-export-${createHash('sha256').update(text).digest('hex')}`;
}
