import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { Random } from '../data/random.js';
import { timeOf } from '../data/shape.js';
import { send } from '../load.js';
import type { Figure } from '../result.js';
import { apl, call, createDataset, type Server, startServer } from '../server.js';
import { median } from '../statistics.js';
import type { Context, Suite } from '../world.js';

/** How the same things change as data grows. The yardstick of each is itself with the least data. */

const idleMilliseconds = 5000;

const queries = {
  'filter and count ms': "logs | where service == 'cart' and status == 404 | count",
  'one trace ms': `logs | where trace_id == '${'0'.repeat(32)}' | count`,
  'newest 100 ms': 'logs | sort by _time desc | take 100',
} as const;

async function medianMilliseconds(server: Server, query: string, runs: number): Promise<number> {
  const times: number[] = [];
  await apl(server, query);
  for (let i = 0; i < Math.max(3, runs); i++) {
    const started = performance.now();
    await apl(server, query);
    times.push(performance.now() - started);
  }
  return median(times);
}

const eventsPerBody = 5000;
const eventsAtOnce = 100_000;

async function events(context: Context): Promise<void> {
  const { sizes, say } = context;
  const directory = join(context.directory, 'growth');
  mkdirSync(directory, { recursive: true });
  const points: { readonly events: number; readonly values: Record<string, number> }[] = [];
  let server = await startServer(directory);
  try {
    await createDataset(server, 'logs');
    let sent = 0;
    for (const target of sizes.growthEvents) {
      say(`growth: ${target} events`);
      let seconds = 0;
      const first = sent;
      while (sent < target) {
        const bodies = await bodiesOf(
          [...eventsOf(httpLogs, Math.min(eventsAtOnce, target - sent), sent)],
          eventsPerBody,
        );
        seconds += (await send(server, { dataset: 'logs', bodies, clients: 2 })).seconds;
        sent += bodies.reduce((sum, body) => sum + body.events, 0);
      }
      const flushed = performance.now();
      await apl(server, 'logs | count');
      seconds += (performance.now() - flushed) / 1000;
      const values: Record<string, number> = { 'ingest events/s': (sent - first) / seconds };
      for (const [name, query] of Object.entries(queries))
        values[name] = await medianMilliseconds(server, query, sizes.queryRuns);
      values['disk bytes/event'] = (await diskBytesOf(server)) / sent;
      await server.stop();
      server = await startServer(directory);
      values['restart s'] = server.startSeconds;
      const restarted = performance.now();
      const [[count] = []] = await apl(server, 'logs | count');
      if (count !== sent) throw new Error(`${sent} events sent, ${String(count)} found after a restart`);
      values['restart to first answer s'] = server.startSeconds + (performance.now() - restarted) / 1000;
      await new Promise((resolve) => setTimeout(resolve, Math.min(idleMilliseconds, sizes.seconds * 2000)));
      values['idle memory MiB'] = server.memoryBytes('VmRSS') / 2 ** 20;
      points.push({ events: sent, values });
    }
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  reportGrowth(
    context,
    points.map(({ events, values }) => ({ label: `${events.toLocaleString('en')} events`, values })),
  );
}

const diskBytesOf = async (server: Server): Promise<number> =>
  (JSON.parse(await call(server, '/v1/datasets/logs/info')) as { compressedBytes: number }).compressedBytes;

/** Absolute limits, as multiples of a yardstick that is the limit's unit. */
const limits: Readonly<Record<string, number>> = { 'restart s': 2, 'idle memory MiB': 500, 'common field ms': 2 };

function reportGrowth(
  { report }: Context,
  points: readonly { readonly label: string; readonly values: Readonly<Record<string, number>> }[],
): void {
  const [first] = points;
  for (const { label, values } of points)
    for (const [name, value] of Object.entries(values)) {
      const unit = name.split(' ').at(-1)!;
      const absolute = name === 'restart s' || name === 'idle memory MiB';
      const limit = limits[name];
      const start = `at ${first!.label}`;
      report({
        suite: 'growth',
        name: `${name.slice(0, -unit.length - 1)}, ${label}`,
        unit,
        better: unit === 'events/s' ? 'higher' : 'lower',
        ours: [value],
        against: [
          { name: start, runs: [first!.values[name] ?? Number.NaN] },
          ...(absolute ? [{ name: `one ${unit}`, runs: [1] }] : []),
        ],
        ...(limit !== undefined && { goal: { yardstick: absolute ? `one ${unit}` : start, atMost: limit } }),
      } satisfies Figure);
    }
}

/** Events with a few fields that all have, and five of a number of rare ones. */
async function fields(context: Context): Promise<void> {
  const { sizes, say } = context;
  const points: { readonly label: string; readonly values: Record<string, number> }[] = [];
  for (const names of sizes.growthFields) {
    say(`growth: ${names} fields`);
    const directory = join(context.directory, 'growth-fields');
    const server = await startServer(directory);
    try {
      await createDataset(server, 'logs');
      const random = new Random(names);
      let seconds = 0;
      const at = performance.now();
      for (let sent = 0; sent < sizes.growthFieldEvents; sent += eventsPerBody) {
        const count = Math.min(eventsPerBody, sizes.growthFieldEvents - sent);
        const bodies = await bodiesOf(
          Array.from({ length: count }, (_, i) => rareEvent(random, sent + i, names)),
          1000,
        );
        seconds += (await send(server, { dataset: 'logs', bodies, clients: 2 })).seconds;
      }
      const flushed = performance.now();
      const [[count] = []] = await apl(server, 'logs | count');
      if (count !== sizes.growthFieldEvents) throw new Error(`${sizes.growthFieldEvents} sent, ${String(count)} found`);
      seconds += (performance.now() - flushed) / 1000;
      if (seconds > (performance.now() - at) / 1000) throw new Error('the clock is wrong');
      const common = "logs | where service == 's3' | summarize count(), avg(duration) by status";
      points.push({
        label: `${names.toLocaleString('en')} fields`,
        values: {
          'ingest events/s': sizes.growthFieldEvents / seconds,
          'common field ms': await medianMilliseconds(server, common, sizes.queryRuns),
          'rare field ms': await medianMilliseconds(
            server,
            `logs | where ['rare.f${names - 1}'] > 5 | count`,
            sizes.queryRuns,
          ),
          'newest 100 ms': await medianMilliseconds(server, 'logs | sort by _time desc | take 100', sizes.queryRuns),
          'disk bytes/event': (await diskBytesOf(server)) / sizes.growthFieldEvents,
          'memory MiB': server.memoryBytes('VmRSS') / 2 ** 20,
        },
      });
    } finally {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
  reportGrowth(context, points);
}

function rareEvent(random: Random, index: number, names: number): string {
  // Every name comes at least once if there are enough events.
  const rare = Array.from({ length: 5 }, (_, i) => (index * 5 + i < names ? index * 5 + i : random.below(names)));
  return JSON.stringify({
    _time: timeOf(random, index, 1000),
    service: `s${random.below(8)}`,
    status: random.pick([200, 404, 500]),
    duration: random.latency(20),
    message: `request ${index} served`,
    rare: Object.fromEntries([...rare.map((name) => [`f${name}`, random.below(1000)]), [`f${names - 1}`, 9]]),
  });
}

export const growthSuite: Suite = async (context) => {
  await events(context);
  await fields(context);
};
