import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineErrorOf } from '../errors.js';
import { testDirectory } from './engines.js';
import { freePort } from './free-port.js';

/**
 * A real ClickHouse server of the version that the engine is built from, in a separate process and
 * temporary directory.
 */
export interface ClickHouse {
  readonly port: number;
  /** Executes a statement with all rights; the result as text, trimmed. */
  run(sql: string): Promise<string>;
  /** Kills the server, as the system does when it is out of memory. */
  kill(): Promise<void>;
  /** Restarts it after that, on the same port. */
  start(): Promise<void>;
  /** Kills the server and removes its directory. */
  end(): Promise<void>;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

/** The process's last output. */
interface ExitMessage {
  readonly problem: string;
}

export interface ClickHouseOptions {
  /** Grants of the user of `clickHouseLogin`, as `GRANT … ON …`. Default: everything. */
  readonly grants?: readonly string[];
  /** Additional configuration, as XML. */
  readonly configuration?: string;
  /** Parent of its directory. Default: the directory of temporary files. */
  readonly within?: string;
  /** A library other than the engine's. */
  readonly library?: string;
}

/** The library cannot serve; the message says why. */
export class CannotServe extends Error {
  override readonly name = 'CannotServe';
}

/** Login of the user in tests. */
export const clickHouseLogin: Login = { user: 'millrace', password: 'only-clickhouse-knows' };
/** The user that starts the server; it cannot have a password, so it has no other right. */
const local: Login = { user: 'default', password: '' };
const isLacking = (problem: string): boolean => problem.startsWith('this build of the library');
const startMilliseconds = 60_000;
/** Another process may take a free port first. */
const attempts = 3;
/** It serves while its second statement runs: until it is killed. */
const serve =
  'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(1000000) FORMAT Null ' +
  'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0';

/**
 * Why tests that need a server are skipped here, also written to the output; `undefined` if they
 * are not.
 */
export async function whyNoClickHouse(library?: string): Promise<string | undefined> {
  try {
    const problem = await endOf(run(library ?? engineLibrary(), ['--query', 'SELECT 1']));
    // Any other problem fails the tests instead of skipping them.
    if (!isLacking(problem)) return undefined;
    throw new CannotServe(problem);
  } catch (error) {
    if (!(error instanceof CannotServe)) throw error;
    process.stderr.write(`Tests with a ClickHouse server are skipped: ${error.message}.\n`);
    return error.message;
  }
}

/** @throws CannotServe */
export async function openClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  for (let attempt = 1; ; attempt++) {
    const directory = await testDirectory(options.within);
    try {
      return await start(directory, options);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (error instanceof CannotServe || attempt === attempts) throw error;
    }
  }
}

async function start(
  directory: string,
  { grants, configuration = '', library = engineLibrary() }: ClickHouseOptions,
): Promise<ClickHouse> {
  const port = await freePort();
  // The password is random, so a server that accepts it is this one and not another that took the
  // port.
  const admin: Login = { user: 'admin', password: randomUUID() };
  const config = join(directory, 'config.xml');
  const users = join(directory, 'users.xml');
  await writeFile(config, `<clickhouse><users_config>${users}</users_config>${configuration}</clickhouse>`);
  await writeFile(
    users,
    usersOf([userOf(local, ['GRANT SYSTEM LISTEN ON *.*']), userOf(admin), userOf(clickHouseLogin, grants)]),
  );
  // Inserts fail below a relative path.
  const places = ['--path', join(directory, 'data'), '--config-file', config];
  let child: ChildProcess;
  let over: Promise<string>;
  let problem: string | undefined;
  const launch = (): void => {
    child = run(library, [...places, '--listen_host', '127.0.0.1', '--http_port', String(port), '--query', serve]);
    problem = undefined;
    over = endOf(child);
    void over.then((words) => (problem = words));
  };
  launch();
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await over;
  };
  const end = async (): Promise<void> => {
    await kill();
    await rm(directory, { recursive: true, force: true });
  };
  const ask = async (sql: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': admin.user, 'X-ClickHouse-Key': admin.password },
      body: sql,
    });
    const text = await response.text();
    if (!response.ok) throw engineErrorOf(text);
    return text.trim();
  };
  const waitUntilServing = async (): Promise<void> => {
    const deadline = performance.now() + startMilliseconds;
    for (;;) {
      if (await ask('SELECT 1').catch(() => false)) return;
      const late = performance.now() > deadline;
      if (problem !== undefined || late) {
        await end();
        if (problem !== undefined && isLacking(problem)) throw new CannotServe(problem);
        throw new Error(`the ClickHouse server did not start: ${problem ?? 'it does not answer'}`);
      }
      await sleep(20);
    }
  };
  await waitUntilServing();
  return {
    port,
    run: ask,
    end,
    kill,
    start: () => {
      launch();
      return waitUntilServing();
    },
  };
}

function run(library: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, 'clickhouse-process.mjs'), [library, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The server takes its time zone from the environment only.
    env: { ...process.env, TZ: 'UTC' },
    execArgv: [],
  });
}

/** Waits for the end of the process, and returns its last output. */
async function endOf(child: ChildProcess): Promise<string> {
  let problem: string | undefined;
  child.on('message', (message: ExitMessage) => (problem = message.problem));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return problem ?? `its process ended with ${signal ?? code}`;
}

function engineLibrary(): string {
  const require = createRequire(import.meta.url);
  const name = `@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
  try {
    return join(dirname(createRequire(require.resolve('chdb')).resolve(name)), 'libchdb.so');
  } catch {
    throw new CannotServe(`there is no library ${name}`);
  }
}

const usersOf = (users: readonly string[]): string =>
  `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users>${users.join('')}</users></clickhouse>`;

/** Without grants a user may do everything. */
const userOf = ({ user, password }: Login, grants?: readonly string[]): string => `
  <${user}>
    <password>${password}</password>
    <networks><ip>::/0</ip></networks>
    ${grants === undefined ? '' : `<grants>${grants.map((grant) => `<query>${grant}</query>`).join('')}</grants>`}
  </${user}>`;
