import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '../cluster/replicas.js';
import { whyNoReplicas } from '../cluster/tools.js';
import { campaign } from './campaign.js';
import { overReplicas } from './replicated-server.js';

/**
 * `npm run crash`: kills the server repeatedly, and checks each time that everything acknowledged
 * is stored exactly once.
 */

interface StoryKind {
  readonly about: string;
  readonly isOverReplicas?: boolean;
  /** Default number of cycles. */
  readonly cycles?: number;
}

/** Long tests with nodes and real servers, one file each. */
const stories: Readonly<Record<string, StoryKind>> = {
  'full-disk': { about: 'the disk of ClickHouse is full; only root can have such a disk' },
  restore: {
    about: 'a backup of nodes over replicas goes into others, after one that was killed',
    isOverReplicas: true,
  },
  replicas: {
    about: 'one replica after the other is replaced under three nodes, one each cycle',
    isOverReplicas: true,
    cycles: 3,
  },
  upgrade: {
    about: 'nodes over replicas are replaced by those of another version, forth and back, one way each cycle',
    isOverReplicas: true,
    cycles: 4,
  },
  cost: {
    about: 'nothing is struck: what nodes over replicas cost beside a server alone, in turns, one each cycle',
    isOverReplicas: true,
    cycles: 5,
  },
  scale: {
    about: 'nothing is struck: what small requests with keys cost with 1, 2 and 3 nodes over one server',
    cycles: 3,
  },
};

const usage = `npm run crash -- [--nodes] [--cluster] [--shards N] [--metrics] [--cycles N] [--seed S]
npm run crash -- --story NAME

  --cycles N   lives of the server; default 20, about two seconds each
  --seed S     another number is another story; default 1
  --nodes      three nodes over a ClickHouse and a PostgreSQL server, about ten seconds a cycle
  --cluster    over three ClickHouse replicas and a Keeper, which are struck too; about half a minute a cycle.
               With --nodes: three nodes over replicas, with connections that are cut as well
  --shards N   with --nodes: so many shards, each a server or three replicas; default 1
  --metrics    points over OTLP and remote write as well; not with --nodes
  --story NAME something else, which takes cycles and seed where it has some:
${Object.entries(stories)
  .map(([name, { about }]) => `                 ${name.padEnd(10)} ${about}`)
  .join('\n')}
  --older DIR  with --story upgrade: a checkout of an earlier version, built. Without it the other version is this
               one with one more step for the metadata

Ctrl-C ends it after the present cycle, a second one at once.
Ends with a summary; with 1 and the data directory kept when something was lost, doubled, torn or changed.`;

const { values } = parseArgs({
  options: {
    cycles: { type: 'string' },
    seed: { type: 'string', default: '1' },
    nodes: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    shards: { type: 'string', default: '1' },
    metrics: { type: 'boolean', default: false },
    story: { type: 'string' },
    older: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { story } = values;
const cycles = Number(values.cycles ?? (story === undefined ? undefined : stories[story]?.cycles) ?? 20);
const seed = Number(values.seed);
const shards = Number(values.shards);
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number > 0;
if (
  values.help ||
  !isCount(cycles) ||
  !Number.isSafeInteger(seed) ||
  !isCount(shards) ||
  (shards > 1 && !values.nodes) ||
  (values.metrics && (values.nodes || story !== undefined)) ||
  (story !== undefined && !Object.hasOwn(stories, story)) ||
  (values.older !== undefined && story !== 'upgrade')
) {
  console.log(usage);
  process.exit(values.help ? 0 : 1);
}

const isOverReplicas = values.cluster || (story !== undefined && stories[story]?.isOverReplicas === true);
const why = isOverReplicas ? whyNoReplicas() : undefined;
if (why !== undefined) {
  console.log(`Skipped, there can be no replicas here: ${why}.`);
  process.exit(0);
}

if (values.nodes || story !== undefined) {
  // Over the servers that tests have, which are in the sources.
  const config = join(import.meta.dirname, '..', '..', 'crash', 'nodes', 'vitest.config.ts');
  const file = `tests/crash/nodes/${story ?? 'story'}.long.ts`;
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config, '--root', '.', file], {
    stdio: 'inherit',
    env: {
      ...process.env,
      CRASH_CYCLES: String(cycles),
      CRASH_SEED: String(seed),
      CRASH_SHARDS: String(shards),
      CRASH_OVER: values.cluster ? 'replicas' : 'server',
      ...(values.older !== undefined && { CRASH_OLDER: resolve(values.older) }),
    },
  });
  process.exit(status ?? 1);
}

/** Cycles per printed line when the output is not a terminal. */
const cyclesPerLine = values.cluster ? 1 : 20;
const directory = mkdtempSync(join(tmpdir(), 'millrace-crash-'));
const command = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'bin', 'millrace.js');
let printedAt = 0;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });

const cluster = values.cluster ? await openCluster() : undefined;
const { tally, cycle, printed } = await campaign({
  ...(cluster !== undefined && { scenario: overReplicas(cluster) }),
  command,
  directory,
  cycles,
  seed,
  metrics: values.metrics,
  stop: stop.signal,
  progress: (cycle, tally) => {
    if (process.stdout.isTTY && performance.now() - printedAt > 1000) {
      printedAt = performance.now();
      process.stdout.write(`\r\u001B[K${tally.line(cycle)}`);
    }
    if (!process.stdout.isTTY && cycle % cyclesPerLine === 0) console.log(tally.line(cycle));
  },
});
await cluster?.end(tally.violations.length > 0);
if (process.stdout.isTTY) process.stdout.write('\r\u001B[K');
console.log(tally.summary(cycle));
if (tally.violations.length === 0) rmSync(directory, { recursive: true, force: true });
else {
  for (const { kind, what } of tally.violations.slice(0, 50)) console.log(`${kind}: ${what}`);
  console.log(
    `seed ${seed}, cycle ${cycle}; the data is kept in ${directory}${cluster === undefined ? '' : ` and ${cluster.directory}`}\nthe server printed:\n${printed}`,
  );
  process.exitCode = 1;
}
