import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

/** Runs the `millrace` command in a process of its own, as a person or a script does. */

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'millrace.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** The server whose URL and token the command gets through its environment. */
  readonly server?: Pick<ServerProcess, 'url' | 'token'>;
  readonly input?: string | Uint8Array;
}

/** Runs the command until it ends. */
export function millrace(args: readonly string[], { server, input }: RunOptions = {}): Promise<Ran> {
  const env = server === undefined ? {} : { MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token };
  const child = spawn(process.execPath, [command, ...args], { env: { PATH: process.env['PATH'], ...env } });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(err).toString('utf8') }),
    );
  });
}
