import { spawn } from 'node:child_process';
import type { ServerProcess } from './server-process.ts';

/**
 * Stops a server when this process has exited, for any reason, and removes its directory: the
 * runner kills workers that do not exit at once, which then cannot stop a server.
 */
export function endWithProcess({ process: { pid }, directory }: ServerProcess): void {
  const wait = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done`;
  const stop = `kill ${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 1; done; rm -rf "$1"`;
  spawn('sh', ['-c', `${wait}; ${stop}`, 'sh', directory], { detached: true, stdio: 'ignore' }).unref();
}
