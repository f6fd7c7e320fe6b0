import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '../connection.js';
import type { Shape } from '../data/shape.js';
import { type FamilyFigures, familyFigures } from '../family-figures.js';

/** Stores to compare with, built from their public Go modules if Go is installed. */

export interface PeerProgram {
  readonly name: string;
  readonly module: string;
  readonly version: string;
}

export const victoriaLogs: PeerProgram = {
  name: 'VictoriaLogs v1.52.1',
  module: 'github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs',
  version: 'v1.52.1',
};
export const victoriaMetrics: PeerProgram = {
  name: 'VictoriaMetrics v1.136.23',
  module: 'github.com/VictoriaMetrics/VictoriaMetrics/app/victoria-metrics',
  version: 'v1.136.23',
};
export const peerName = victoriaLogs.name;

const run = promisify(execFile);

/**
 * Builds the program once for all later runs, which takes minutes and the network; returns its
 * path, or the reason why it is missing.
 */
export async function builtPeer(
  directory: string,
  { module, version }: PeerProgram = victoriaLogs,
): Promise<{ readonly path: string } | { readonly lack: string }> {
  const command = basename(module);
  const bin = join(directory, `${command}-${version}`);
  const path = join(bin, command);
  if (existsSync(path)) return { path };
  mkdirSync(bin, { recursive: true });
  try {
    await run('go', ['install', `${module}@${version}`], { env: { ...process.env, GOBIN: bin } });
    return { path };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { lack: code === 'ENOENT' ? 'Go is not installed' : `it cannot be built: ${message.slice(0, 300)}` };
  }
}

/** A running program, with a separate directory. */
export interface RunningPeer extends FamilyFigures {
  readonly host: string;
  readonly port: number;
  readonly directory: string;
  /** Makes everything that was sent visible, as its own tests do. */
  flush(connection: Connection): Promise<void>;
  stop(): Promise<void>;
}

/** A running log store. */
export interface Peer extends RunningPeer {
  /** The request that sends a body of NDJSON. */
  sending(connection: Connection, shape: Shape, body: Uint8Array): readonly Uint8Array[];
  /** Rows of a result in its query language. */
  ask(connection: Connection, query: string): Promise<readonly Readonly<Record<string, string>>[]>;
}

const host = '127.0.0.1';

/** Longer than it takes to start. */
const startMilliseconds = 60_000;

/**
 * Starts a program with its default settings, but for how long it keeps events, because those of
 * the benchmark are not of today, and connections.
 */
export async function startProgram(path: string, directory: string, name: string): Promise<RunningPeer> {
  const port = await freePort();
  const child = spawn(
    path,
    [
      `-storageDataPath=${directory}`,
      `-httpListenAddr=${host}:${port}`,
      '-retentionPeriod=100y',
      '-http.connTimeout=24h',
    ],
    { stdio: 'ignore' },
  );
  const kill = (): boolean => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const ended = once(child, 'exit');
  await waitForAnswer(child, port, name);
  return {
    ...familyFigures(child.pid!),
    host,
    port,
    directory,
    flush: async (connection) => void (await connection.request(connection.prepare('GET', '/internal/force_flush'))),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function startPeer(path: string, directory: string): Promise<Peer> {
  return {
    ...(await startProgram(path, directory, peerName)),
    sending: (connection, shape, body) =>
      connection.prepare('POST', `/insert/jsonline?${fieldsOf(shape)}`, {
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      }),
    ask: async (connection, query) => {
      const { status, body } = await connection.request(
        connection.prepare('GET', `/select/logsql/query?query=${encodeURIComponent(query)}`),
      );
      if (status !== 200) throw new Error(`${query}: ${status} ${body.toString().slice(0, 300)}`);
      const lines = body.toString().split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as Record<string, string>);
    },
  };
}

/** Which fields are the time, the message and the stream. */
const fieldsOf = ({ timestampField = '_time', columns }: Shape): string => {
  const names = columns.map(({ name }) => name);
  const stream = names.includes('service') ? '&_stream_fields=service' : '';
  return `_time_field=${timestampField}&_msg_field=message,name,kind${stream}`;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForAnswer(child: ChildProcess, port: number, name: string): Promise<void> {
  const end = performance.now() + startMilliseconds;
  const connection = new Connection(host, port);
  try {
    while (child.exitCode === null && performance.now() < end) {
      const answer = await connection.request(connection.prepare('GET', '/health')).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(50);
    }
  } finally {
    connection.close();
  }
  throw new Error(`${name} does not start`);
}
