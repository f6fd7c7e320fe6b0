import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real server in a separate process, started as `npm start` does after its build. */
export interface ServerProcess {
  readonly url: string;
  readonly token: string;
  readonly directory: string;
  readonly process: ChildProcess;
  /** Output of the server so far. */
  readonly output: () => string;
  /** Sends SIGTERM and waits; returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>;
}

const testToken = 'xapt-00000000-0000-4000-8000-000000000001';

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'millrace.js');
// On a machine that much else uses, a start of half a second takes half a minute.
const startMilliseconds = 55_000;

/** A new directory, to be removed with `removeDirectory`. */
export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'millrace-test-'));
export const removeDirectory = (directory: string): void => rmSync(directory, { recursive: true, force: true });

export interface StartOptions {
  /** The descriptor of a file for its log; without, the log is part of its output. */
  readonly log?: number | 'pipe';
  /** The command of another version. */
  readonly program?: string;
}

/** Starts `millrace serve` on a free port and waits until it serves. */
export async function startServer(
  directory: string,
  env: Readonly<Record<string, string>> = {},
  { log = 'pipe', program = command }: StartOptions = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...process.env,
      MILLRACE_PORT: '0',
      MILLRACE_DATA_DIR: directory,
      MILLRACE_ADMIN_TOKEN: testToken,
      ...env,
    },
    stdio: ['ignore', 'pipe', log],
  });
  // Stops the server however the tests end.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let printed = '';
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      kill();
      reject(new Error(`no server after ${startMilliseconds} ms:\n${printed}`));
    }, startMilliseconds);
    createInterface(child.stdout!).on('line', (line) => {
      printed += `${line}\n`;
      const match = /https?:\/\/[\w.:[\]-]+/.exec(line);
      if (match === null) return;
      clearTimeout(late);
      resolve(match[0]);
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the server ended with ${code}:\n${printed}`));
    });
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    url,
    token: testToken,
    directory,
    process: child,
    output: () => printed,
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The process ID of the engine, the server's only child; undefined while it is not running. */
export function enginePid(server: ServerProcess): number | undefined {
  const pid = server.process.pid!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return children === '' ? undefined : Number(children);
}

/** A small client over `fetch`: JSON in, JSON and status out. */
export async function request(
  server: Pick<ServerProcess, 'url' | 'token'>,
  path: string,
  init: {
    readonly method?: string;
    readonly body?: string | Uint8Array<ArrayBuffer>;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const answer = await fetch(server.url + path, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...init.headers },
    ...(init.body !== undefined && { body: init.body }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}
