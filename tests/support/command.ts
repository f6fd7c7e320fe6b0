import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { commands } from '../../packages/cli/src/commands/every-command.ts';
import { run } from '../../packages/cli/src/run.ts';
import { memoryIo } from '../../packages/cli/src/testing/memory-io.ts';
import type { ServerProcess } from './server-process.ts';

/** Runs the `millrace` command, as a person or a script does. */

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'millrace.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** The server whose URL and token are in the command's environment. */
  readonly server?: Pick<ServerProcess, 'url' | 'token'>;
  readonly input?: string | Uint8Array;
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const environmentOf = ({ server, env = {} }: RunOptions): Readonly<Record<string, string>> =>
  server === undefined ? env : { MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token, ...env };

/** Runs the command in this process: a new process takes a third of a second of CPU. */
export async function millrace(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const io = memoryIo({ env: environmentOf(options), input: [options.input ?? ''] });
  // Some commands make their files private, which changes the umask of this process.
  const mask = process.umask(0o022);
  try {
    return { code: await run(args, commands, io), ...io.written };
  } finally {
    process.umask(mask);
  }
}

/**
 * Runs the command in a new process until that ends, for tests of process behavior.
 * @param signal kills it; then the code is `null`
 */
export function millraceProcess(
  args: readonly string[],
  { signal, ...options }: RunOptions & { readonly signal?: AbortSignal } = {},
): Promise<Ran> {
  const { input } = options;
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env['PATH'], ...environmentOf(options) },
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
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
