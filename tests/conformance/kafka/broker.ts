import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { root } from '../../support/root.ts';

const run = promisify(execFile);
const cache = join(root, 'node_modules', '.cache', 'millrace-kafka');
const startMilliseconds = 120_000;

/** A Kafka broker with its controller in one process, which keeps its data when it is killed. */
export class Broker {
  readonly address: string;
  readonly #port: number;
  readonly #classPath: string;
  readonly #config: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, classPath: string, config: string) {
    this.address = `127.0.0.1:${port}`;
    this.#port = port;
    this.#classPath = classPath;
    this.#config = config;
  }

  /** Formats a directory for a broker; needs Java and Maven. */
  static async create(directory: string): Promise<Broker> {
    const classPath = await kafkaClassPath();
    const [port, controller] = [await freePort(), await freePort()];
    const config = join(directory, 'server.properties');
    writeFileSync(config, properties(directory, port, controller));
    const cluster = randomBytes(16).toString('base64url');
    await run('java', ['-cp', classPath, 'kafka.tools.StorageTool', 'format', '-t', cluster, '-c', config]);
    return new Broker(port, classPath, config);
  }

  async start(): Promise<void> {
    const child = spawn('java', ['-Xmx256m', '-cp', this.#classPath, 'kafka.Kafka', this.#config], { stdio: 'ignore' });
    this.#child = child;
    process.once('exit', () => child.kill('SIGKILL'));
    const late = Date.now() + startMilliseconds;
    while (!(await accepts(this.#port))) {
      if (child.exitCode !== null || Date.now() > late) throw new Error('the broker did not start');
      await pause(200);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

const properties = (directory: string, port: number, controller: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${join(directory, 'logs')}
num.partitions=3
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`;

/** Kafka and its dependencies, downloaded once from Maven's repository. */
async function kafkaClassPath(): Promise<string> {
  const jars = join(cache, 'jars');
  if (!existsSync(jars)) {
    mkdirSync(cache, { recursive: true });
    copyFileSync(join(import.meta.dirname, 'pom.xml'), join(cache, 'pom.xml'));
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`], { cwd: cache });
  }
  return join(jars, '*');
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    pause(1000, false),
  ]);
  socket.destroy();
  return isOpen;
}
