import { spawn } from 'node:child_process';
import type { ServerProcess } from './server-process.ts';

/**
 * Stops a server when this process is gone, however that happened, and removes its directory: the
 * runner kills its workers when they do not end at once, and nothing in them could stop a server
 * then.
 */
export function endWithProcess({ process: { pid }, directory }: ServerProcess): void {
  const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done`;
  const stop = `kill ${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 1; done; rm -rf "$1"`;
  spawn('sh', ['-c', `${wait}; ${stop}`, 'sh', directory], { detached: true, stdio: 'ignore' }).unref();
}
