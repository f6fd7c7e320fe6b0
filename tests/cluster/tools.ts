import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../support/root.js';

/**
 * Programs for replicas and their Keeper: a program compiled from `replica.c`, the engine's
 * library, and ZooKeeper, which speaks Keeper's protocol.
 */
export interface Tools {
  readonly replica: string;
  readonly library: string;
  /** The class path of ZooKeeper. */
  readonly keeper: string;
}

/** Replicas cannot be started here; the message explains why. */
class CannotReplicate extends Error {
  override readonly name = 'CannotReplicate';
}

const sources = join(root, 'tests', 'cluster');
const cache = join(root, 'node_modules', '.cache', 'millrace-cluster');

/**
 * Builds missing tools.
 * @throws CannotReplicate
 */
export function findTools(): Tools {
  const library = engineLibrary();
  const tools = { library, replica: compileReplica(), keeper: keeperClassPath() };
  const tried = spawnSync(tools.replica, [library, '127.0.0.1', '0', '--version'], { encoding: 'utf8' });
  if (tried.status === anotherBuild) throw new CannotReplicate(tried.stderr.trim());
  return tools;
}

/** Why there can be no replicas here; `undefined` if there can. */
export function whyNoReplicas(): string | undefined {
  try {
    findTools();
    return undefined;
  } catch (error) {
    if (error instanceof CannotReplicate) return error.message;
    throw error;
  }
}

/** The exit code of `replica.c` for a library that it does not know. */
const anotherBuild = 3;

function engineLibrary(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new CannotReplicate('this is not Linux on x86-64');
  const require = createRequire(join(root, 'packages', 'engine', 'package.json'));
  const name = '@chdb/lib-linux-x64-gnu';
  try {
    return join(dirname(createRequire(require.resolve('chdb')).resolve(name)), 'libchdb.so');
  } catch {
    throw new CannotReplicate(`there is no library ${name}`);
  }
}

function compileReplica(): string {
  const source = join(sources, 'replica.c');
  const program = join(
    cache,
    `replica-${createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)}`,
  );
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  run('gcc', ['-O1', '-Wall', '-o', program, source, '-ldl'], root);
  return program;
}

/** ZooKeeper and its dependencies, downloaded once from Maven's repository. */
function keeperClassPath(): string {
  const directory = join(cache, 'keeper');
  const jars = join(directory, 'jars');
  if (!existsSync(jars) || !readdirSync(jars).some((name) => name.startsWith('zookeeper-3'))) {
    mkdirSync(directory, { recursive: true });
    copyFileSync(join(sources, 'keeper', 'pom.xml'), join(directory, 'pom.xml'));
    run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`], directory);
  }
  const { error } = spawnSync('java', ['-version']);
  if (error !== undefined) throw new CannotReplicate('there is no java');
  return join(jars, '*');
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { error, status, stderr, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw new CannotReplicate(`there is no ${program}`);
  if (status !== 0) throw new CannotReplicate(`${program} failed: ${`${stdout}${stderr}`.trim().slice(-500)}`);
}
