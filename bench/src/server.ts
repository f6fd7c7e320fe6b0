import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Connection } from './connection.js';
import { type FamilyFigures, familyFigures } from './family-figures.js';
import type { Range } from './queries/query-for-run.js';

/** The server under test: `millrace serve` in a separate process, started as `npm start` does. */

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'dist', 'main.js');
const token = 'xapt-00000000-0000-4000-8000-000000000001';
const startMilliseconds = 600_000;

export interface Server extends FamilyFigures {
  readonly host: string;
  readonly port: number;
  readonly directory: string;
  /** From the start of the process until it accepts requests. */
  readonly startSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts a server on a directory, with its default settings except two: its cache of results is
 * off, because the cache would be measured instead, and one token may run as many queries as there
 * are clients.
 */
export async function startServer(directory: string): Promise<Server> {
  // Settings of this process's environment are dropped: they may be for another server.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('MILLRACE_'));
  const started = performance.now();
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      ...Object.fromEntries(others),
      MILLRACE_PORT: '0',
      MILLRACE_DATA_DIR: directory,
      MILLRACE_ADMIN_TOKEN: token,
      MILLRACE_LOG_LEVEL: 'warn',
      MILLRACE_RESULT_CACHE_BYTES: '0',
      MILLRACE_MAX_CONCURRENT_QUERIES: '100',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Stops the server however this process exits, except by SIGKILL.
  const kill = (): boolean => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(-4000)));
  const url = await urlOf(child, () => printed).catch((error: unknown) => {
    kill();
    throw error;
  });
  let stopping = false;
  child.once('exit', (code, signal) => {
    // Otherwise the only sign would be a refused connection.
    if (!stopping) process.stderr.write(`the server ended by itself with ${code ?? signal}\n${printed}\n`);
  });
  const startSeconds = (performance.now() - started) / 1000;
  const ended = once(child, 'exit');
  return {
    host: url.hostname,
    port: Number(url.port),
    directory,
    startSeconds,
    headers: { authorization: `Bearer ${token}` },
    ...familyFigures(child.pid!),
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function urlOf(child: ChildProcess, printed: () => string): Promise<URL> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${what}\n${printed()}`));
    const late = setTimeout(() => fail('the server does not start'), startMilliseconds);
    createInterface(child.stdout!).on('line', (line) => {
      const match = /https?:\/\/[\w.:[\]-]+/.exec(line);
      if (match === null) return;
      clearTimeout(late);
      resolve(new URL(match[0]));
    });
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(`the server ended with ${code}`);
    });
  });
}

/**
 * Sends one request, over the given connection or a new one.
 * @throws Error for any status but 2xx
 */
export const call = (server: Server, path: string, body?: object, connection?: Connection): Promise<string> =>
  request(server, body === undefined ? 'GET' : 'POST', path, body, connection);

async function request(
  server: Server,
  method: string,
  path: string,
  body?: object,
  connection = new Connection(server.host, server.port),
): Promise<string> {
  const answer = await connection.request(
    connection.prepare(method, path, {
      headers: { ...server.headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    }),
  );
  const text = answer.body.toString();
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

export const createDataset = (server: Server, name: string): Promise<string> => call(server, '/v2/datasets', { name });
export const deleteDataset = (server: Server, name: string): Promise<string> =>
  request(server, 'DELETE', `/v2/datasets/${name}`);

interface Tabular {
  readonly tables: readonly {
    readonly fields: readonly { readonly name: string }[];
    readonly columns: readonly unknown[][];
  }[];
}

export interface AskOptions {
  /** If omitted, the request opens a new connection. */
  readonly connection?: Connection;
  /** If omitted, the query contains its time range. */
  readonly range?: Range | undefined;
  /** Names of the columns to return, in order; all if omitted. */
  readonly columns?: readonly string[] | undefined;
}

/** Columns of the first table of a result. */
export async function apl(
  server: Server,
  query: string,
  { connection, range, columns: wanted }: AskOptions = {},
): Promise<readonly (readonly unknown[])[]> {
  const body = { apl: query, ...(range !== undefined && { startTime: range.from, endTime: range.to }) };
  const text = await call(server, '/v1/datasets/_apl?format=tabular', body, connection);
  const { fields = [], columns = [] } = (JSON.parse(text) as Tabular).tables[0] ?? {};
  if (wanted === undefined) return columns;
  return wanted.map((name) => columns[fields.findIndex((field) => field.name === name)] ?? []);
}
