import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../support/root.js';
import { replicaGrants } from '../support/clickhouse-rights.js';
import { type KeeperRelay, openKeeperRelay } from './keeper-relay.js';
import { findTools, type Tools } from './tools.js';

/**
 * Real ClickHouse replicas and a Keeper, each a process that can be killed, paused and started
 * again.
 */

/** The user of the replicas, with the rights that the docs list. */
export const login = { user: 'millrace', password: 'only-clickhouse-knows' };
// On a machine that much else uses.
const startMilliseconds = 180_000;
/** A replica that is paused for longer loses its session with Keeper. */
const sessionMilliseconds = 3000;

/** A process that stops and restarts at the same address. */
abstract class Member {
  #child: ChildProcess | undefined;
  #over: Promise<unknown> = Promise.resolve();

  get runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it; resolves when it responds. */
  async start(): Promise<void> {
    if (this.runs) return;
    const child = this.launch();
    this.#child = child;
    this.#over = once(child, 'exit');
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    const late = performance.now() + startMilliseconds;
    while (!(await this.answers())) {
      if (!this.runs || performance.now() > late) throw new Error(`${this.name} does not start`);
      await sleep(50);
    }
  }

  /** Ends it at once, also when it is paused. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#over;
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  abstract readonly name: string;
  protected abstract launch(): ChildProcess;
  protected abstract answers(): Promise<boolean>;
}

class Keeper extends Member {
  readonly name = 'keeper';
  readonly port: number;
  readonly #directory: string;
  readonly #classPath: string;

  constructor(directory: string, port: number, classPath: string) {
    super();
    this.port = port;
    this.#directory = join(directory, 'keeper');
    this.#classPath = classPath;
    mkdirSync(this.#directory, { recursive: true });
    const settings = {
      tickTime: 500,
      dataDir: join(this.#directory, 'data'),
      clientPort: port,
      clientPortAddress: '127.0.0.1',
      'admin.enableServer': false,
      '4lw.commands.whitelist': 'ruok',
      maxClientCnxns: 0,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(this.#directory, 'zoo.cfg'), lines.join(''));
  }

  protected launch(): ChildProcess {
    const log = openSync(join(this.#directory, 'output.txt'), 'a');
    const program = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    const args = ['-Xmx256m', '-cp', this.#classPath, program, join(this.#directory, 'zoo.cfg')];
    return spawn('java', args, { stdio: ['ignore', log, log] });
  }

  /**
   * Sets Keeper's state as if a stopped replica had been killed after it reported the newest
   * columns of these tables and before it wrote them.
   */
  async haveNewColumns(replica: Replica, tables: readonly string[]): Promise<void> {
    const program = join(root, 'tests', 'cluster', 'keeper', 'CopyColumns.java');
    await promisify(execFile)('java', ['-cp', this.#classPath, program, String(this.port), replica.name, ...tables]);
  }

  protected answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection({ port: this.port, host: '127.0.0.1', timeout: 1000 }, () =>
        socket.write('ruok'),
      );
      socket.once('data', (data) => {
        resolve(data.toString() === 'imok');
        socket.destroy();
      });
      socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    });
  }
}

export class Replica extends Member {
  readonly name: string;
  readonly port: number;
  readonly #directory: string;
  readonly #tools: Tools;

  constructor(name: string, directory: string, port: number, keeperPort: number, tools: Tools) {
    super();
    this.name = name;
    this.port = port;
    this.#tools = tools;
    this.#directory = join(directory, name);
    mkdirSync(this.#directory, { recursive: true });
    writeFileSync(join(this.#directory, 'users.xml'), users);
    writeFileSync(
      join(this.#directory, 'config.xml'),
      `<clickhouse>
  <logger><level>information</level><log>${this.#directory}/log.txt</log></logger>
  <zookeeper>
    <node><host>127.0.0.1</host><port>${keeperPort}</port></node>
    <session_timeout_ms>${sessionMilliseconds}</session_timeout_ms>
  </zookeeper>
  <macros><shard>01</shard><replica>${name}</replica></macros>
  <listen_host>127.0.0.1</listen_host><listen_host>${partsHost}</listen_host>
  <http_port>${port}</http_port>
  <users_config>${this.#directory}/users.xml</users_config>
</clickhouse>`,
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Result of a statement, executed with all rights. */
  async run(sql: string, milliseconds = 30_000): Promise<string> {
    const response = await fetch(`${this.url}/`, {
      method: 'POST',
      headers: { 'X-ClickHouse-User': 'default' },
      body: sql,
      signal: AbortSignal.timeout(milliseconds),
    });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(text);
    return text;
  }

  /** Removes its data, as the loss of its disk does. It must not run. */
  loseDisk(): void {
    rmSync(join(this.#directory, 'data'), { recursive: true, force: true });
  }

  protected launch(): ChildProcess {
    const log = openSync(join(this.#directory, 'output.txt'), 'a');
    const { replica, library } = this.#tools;
    const places = ['--path', join(this.#directory, 'data'), '--config-file', join(this.#directory, 'config.xml')];
    // A server takes its time zone from the environment only.
    const env = { ...process.env, TZ: 'UTC' };
    return spawn(replica, [library, partsHost, String(this.port), ...places, '--query', serve], {
      stdio: ['ignore', log, log],
      env,
    });
  }

  protected answers(): Promise<boolean> {
    return this.run('SELECT 1', 1000).then(
      (answer) => answer === '1',
      () => false,
    );
  }
}

/** Where replicas fetch parts from each other. */
const partsHost = '127.0.0.2';
/** It serves while its second statement runs: until it is killed. */
const serve =
  'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(1000000) FORMAT Null ' +
  'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0, max_threads = 1';
const users = `<clickhouse>
  <profiles><default/></profiles><quotas><default/></quotas>
  <users>
    <default><password/><networks><ip>::/0</ip></networks></default>
    <${login.user}>
      <password>${login.password}</password><networks><ip>::/0</ip></networks>
      <grants>${replicaGrants.map((grant) => `<query>${grant}</query>`).join('')}</grants>
    </${login.user}>
  </users>
</clickhouse>`;

export interface Cluster {
  readonly directory: string;
  readonly keeper: Keeper;
  /** The way of all replicas to their Keeper. */
  readonly relay: KeeperRelay;
  /** The replicas of each shard. */
  readonly shards: readonly (readonly Replica[])[];
  /** Replicas of all shards. */
  readonly replicas: readonly Replica[];
  /** Starts one more of the first shard. */
  add(): Promise<Replica>;
  /** Kills one for good. */
  remove(replica: Replica): Promise<void>;
  /** Kills everything and removes the directory, unless `keep` is set for inspection. */
  end(keep?: boolean): Promise<void>;
}

/**
 * Starts a Keeper and replicas named `r1`, `r2`, …, a number of replicas per shard.
 * @throws CannotReplicate
 */
export async function openCluster({ shards: count = 1, replicas: each = 3 } = {}): Promise<Cluster> {
  const tools = findTools();
  const directory = mkdtempSync(join(tmpdir(), 'millrace-cluster-'));
  const keeper = new Keeper(directory, await freePort(), tools.keeper);
  const relay = await openKeeperRelay(keeper.port);
  const shards: Replica[][] = [];
  let names = 0;
  const createReplica = async (): Promise<Replica> =>
    new Replica(`r${++names}`, directory, await freePort(), relay.port, tools);
  const end = async (keep = false): Promise<void> => {
    await Promise.all([keeper, ...shards.flat()].map((member) => member.kill()));
    await relay.end();
    if (!keep) rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (let shard = 0; shard < count; shard++) {
      const replicas: Replica[] = [];
      for (let n = 0; n < each; n++) replicas.push(await createReplica());
      shards.push(replicas);
    }
    await keeper.start();
    await Promise.all(shards.flat().map((replica) => replica.start()));
    return {
      directory,
      keeper,
      relay,
      shards,
      get replicas() {
        return shards.flat();
      },
      add: async () => {
        const replica = await createReplica();
        await replica.start();
        shards[0]!.push(replica);
        return replica;
      },
      remove: async (replica) => {
        for (const replicas of shards) if (replicas.includes(replica)) replicas.splice(replicas.indexOf(replica), 1);
        await replica.kill();
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
