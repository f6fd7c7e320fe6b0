/**
 * A directory lock that the kernel releases when its owner dies, in whatever way.
 *
 * The owner listens on a Unix socket in the directory. A socket that accepts a connection has a
 * live owner; a socket that refuses is stale. Neither reused process IDs nor separate process
 * namespaces (containers that share a volume) can fool this, and a stopped process still counts as
 * alive.
 *
 * No step needs an atomic takeover: each process first publishes its own socket (bound under
 * another name and renamed, so that a published one always listens), then connects to all others,
 * and withdraws if one is alive. Of any two, the one that connects later sees the other. Two that
 * start at the same instant may both withdraw; they can never both stay.
 *
 * The lock covers one machine: processes on two machines that mount one network volume do not see
 * each other.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isMissing, LogError } from './errors.js';
import type { DirectoryLock } from './file-system.js';

/** Socket addresses are limited to 108 bytes (104 on some systems), the file name included. */
const longestSocketDirectory = 45;
const longestHost = 30;
/**
 * A socket that was bound so much earlier than ours has the name it was bound under because its
 * process was killed.
 */
const claimMilliseconds = 60_000;

/**
 * Locks a directory for this process.
 * @throws LogError `locked` naming the owner's process ID and host
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const nonce = randomBytes(6).toString('hex');
  const bound = `claim.${nonce}`;
  const published = `lock.${process.pid}.${hostname().slice(0, longestHost)}.${nonce}`;
  const server = createServer((socket) => socket.destroy());
  const release = async (): Promise<void> => {
    await removeIfThere(join(directory, published));
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    await useShortPath(directory, async (short) => {
      await listen(server, join(short, bound), directory);
      server.unref();
      await rename(join(directory, bound), join(directory, published));
      for (const name of await readdir(directory)) {
        if (!name.startsWith('lock.') || name === published) continue;
        if (await isListening(join(short, name))) throw inUseBy(name, directory);
        await removeIfThere(join(directory, name));
      }
      await removeOldClaims(directory, published);
    });
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/**
 * Deletes sockets of processes that were killed between binding and renaming. A recent one may
 * still become active, so it is left alone.
 */
async function removeOldClaims(directory: string, published: string): Promise<void> {
  const { mtimeMs: now } = await stat(join(directory, published));
  for (const name of await readdir(directory)) {
    if (!/^claim\.[0-9a-f]{12}$/.test(name)) continue;
    const { mtimeMs } = await stat(join(directory, name)).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - claimMilliseconds) await removeIfThere(join(directory, name));
  }
}

function inUseBy(name: string, directory: string): LogError {
  const [, pid, ...rest] = name.split('.');
  const who = Number(pid) === process.pid ? 'this process' : `process ${pid}`;
  return new LogError(
    'locked',
    `the log in ${directory} is in use by ${who} (host ${rest.slice(0, -1).join('.')}); ` +
      'stop that process, or choose another directory',
  );
}

/**
 * Long paths are reached through the directory's descriptor, because a socket address must be
 * short.
 */
async function useShortPath<T>(directory: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(directory) <= longestSocketDirectory) return use(directory);
  const handle = await open(directory, 'r');
  try {
    return await use(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

async function listen(server: Server, path: string, directory: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path, exclusive: true }, resolve);
    });
  } catch (error) {
    throw new LogError('io', `Cannot lock the log in ${directory}: no socket can be made there (${String(error)})`, {
      cause: error,
    });
  }
}

/**
 * Every result except a refusal counts as alive: a permission error and a full queue both mean that
 * a process listens.
 */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
