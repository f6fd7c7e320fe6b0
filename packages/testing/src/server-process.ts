import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MillraceOptions } from './options.js';

/** A server in a separate process. Plain data, which test files of a worker share. */
export interface ServerProcess {
  readonly url: string;
  /** The owner's personal token. */
  readonly ownerToken: string;
  /** Descriptor of the server's log, which outlives the server's directory. */
  readonly log: number;
  readonly process: ChildProcess;
}

/** Dataset of OTLP records without a dataset in their headers. */
const otlpDatasets = { MILLRACE_OTLP_LOGS_DATASET: 'logs', MILLRACE_OTLP_TRACES_DATASET: 'traces' };

/**
 * Starts a server on a free port with its own directory and token.
 * @throws Error with the server's log if it does not listen in time
 */
export async function startServerProcess(
  { command = installedCommand(), settings = {} }: MillraceOptions,
  startTimeout: number,
): Promise<ServerProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-testing-'));
  const ownerToken = `xapt-${randomUUID()}`;
  const log = openSync(join(directory, 'server.log'), 'a+');
  const guard = fileURLToPath(new URL('../dist/guard.js', import.meta.url));
  const child = spawn(process.execPath, [guard, command, directory, 'serve'], {
    env: {
      ...inheritedEnvironment(),
      ...compileCache(),
      MILLRACE_HOST: '127.0.0.1',
      MILLRACE_PORT: '0',
      MILLRACE_OTLP_GRPC: 'off',
      MILLRACE_AUTO_CREATE_DATASETS: 'true',
      ...otlpDatasets,
      ...settings,
      MILLRACE_DATA_DIR: join(directory, 'data'),
      MILLRACE_ADMIN_TOKEN: ownerToken,
    },
    stdio: ['pipe', 'pipe', log],
  });
  // A broken pipe is how this process learns of the end of the server; `isRunning` says so.
  child.stdin!.on('error', () => undefined);
  try {
    const url = await listeningAddress(child, startTimeout);
    for (const each of [child, child.stdin, child.stdout] as readonly { unref?: () => void }[]) each.unref?.();
    return { url, ownerToken, log, process: child };
  } catch (error) {
    const lines = tailOf(log);
    closeSync(log);
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    throw new Error(`${(error as Error).message}${lines === '' ? '' : `:\n${lines}`}`, { cause: error });
  }
}

/** The environment without what is meant for the tests' own process: loaders, coverage. */
const inheritedEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:NODE|MILLRACE|OTEL|AXIOM)_/.test(name)));

/**
 * Lets Node keep the compiled code of the server, which saves a fifth of the CPU of a start. Node
 * 20 has no such cache. Directories of the system are shared with other users, so it is among the
 * packages.
 */
const compileCache = (): Readonly<Record<string, string>> => {
  const packages = join(process.cwd(), 'node_modules');
  return existsSync(packages) ? { NODE_COMPILE_CACHE: join(packages, '.cache', 'millrace') } : {};
};

/** @throws Error if `millrace` is not installed */
function installedCommand(): string {
  try {
    return join(createRequire(import.meta.url).resolve('millrace/package.json'), '..', 'bin', 'millrace.js');
  } catch (error) {
    throw new Error('the package millrace is not installed; run npm install --save-dev millrace', { cause: error });
  }
}

function listeningAddress(child: ChildProcess, startTimeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const late = setTimeout(
      () => reject(new Error(`the server did not listen within ${startTimeout} ms (option startTimeout)`)),
      startTimeout,
    );
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /listening on (http:\S+)/.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      child.stdout!.removeAllListeners('data').resume();
      resolve(url);
    });
    const rejectStart = (error: Error): void => {
      clearTimeout(late);
      reject(error);
    };
    child.once('error', (error) => rejectStart(new Error(`the server could not be started: ${error.message}`)));
    child.once('exit', (code, signal) =>
      rejectStart(new Error(`the server ended with ${code ?? signal} at its start`)),
    );
  });
}

export const isRunning = ({ process: { exitCode, signalCode } }: ServerProcess): boolean =>
  exitCode === null && signalCode === null;

/** Stops the server and waits for its end. Its directory is removed. */
export async function stopServerProcess({ process: child }: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin!.end();
  await ended;
}

/** Last lines of the server's log. */
export const tailOf = (log: number): string => readLog(log).trimEnd().split('\n').slice(-10).join('\n');

/** Reads from the start, wherever the descriptor is. */
export function readLog(log: number): string {
  const bytes = Buffer.alloc(fstatSync(log).size);
  return bytes.toString('utf8', 0, readSync(log, bytes, 0, bytes.length, 0));
}
