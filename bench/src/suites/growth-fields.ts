import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesOf } from '../data/bodies.js';
import { Random } from '../data/random.js';
import { timeOf } from '../data/shape.js';
import { send } from '../load.js';
import { apl, createDataset, startServer } from '../server.js';
import type { Runs } from '../statistics.js';
import type { Context } from '../world.js';
import { diskBytesOf, growthReport, millisecondsOf } from './growth-report.js';
import { waitUntilMerged } from './loading.js';
import { warmIngest } from './warm-ingest.js';

const eventsAtOnce = 5000;
const eventsPerRequest = 1000;

/** Rounds of all numbers of names, so that a disturbance of the machine affects all of them. */
const maxRounds = 3;

/** Events with a few common fields, and five out of a growing number of rare ones. */
export async function growthOfFields(context: Context): Promise<void> {
  const { runs, growthFields } = context.sizes;
  const rounds: Values[][] = growthFields.map(() => []);
  for (let round = 0; round < Math.min(maxRounds, runs); round++)
    for (const [i, names] of growthFields.entries()) {
      context.say(`growth: ${names} fields`);
      rounds[i]!.push(await measureFields(context, names));
    }
  const reportPoint = growthReport(context);
  for (const [i, names] of growthFields.entries()) {
    const values = Object.keys(rounds[i]![0]!).map((name) => [name, rounds[i]!.flatMap((one) => one[name]!)] as const);
    reportPoint({ label: `${names.toLocaleString('en')} fields`, amount: names, values: Object.fromEntries(values) });
  }
}

type Values = Readonly<Record<string, Runs>>;

/** Ingests events with a given number of field names into a new server and queries them. */
async function measureFields({ directory: parent, sizes }: Context, names: number): Promise<Values> {
  const directory = join(parent, 'growth-fields');
  const server = await startServer(directory);
  try {
    const warming = new Random(1);
    const few = Array.from({ length: sizes.growthFieldEvents }, (_, i) => rareEvent(warming, i, 10));
    await warmIngest(server, { bodies: await bodiesOf(few, eventsPerRequest), clients: 2 });
    await createDataset(server, 'logs');
    const random = new Random(names);
    let seconds = 0;
    for (let sent = 0; sent < sizes.growthFieldEvents; sent += eventsAtOnce) {
      const count = Math.min(eventsAtOnce, sizes.growthFieldEvents - sent);
      const lines = Array.from({ length: count }, (_, i) => rareEvent(random, sent + i, names));
      const bodies = await bodiesOf(lines, eventsPerRequest);
      seconds += (await send(server, { dataset: 'logs', bodies, clients: 2 })).seconds;
    }
    const flushed = performance.now();
    const [[count] = []] = await apl(server, 'logs | count');
    if (count !== sizes.growthFieldEvents) throw new Error(`${sizes.growthFieldEvents} sent, ${String(count)} found`);
    seconds += (performance.now() - flushed) / 1000;
    await waitUntilMerged(server);
    const ask = (query: string): Promise<Runs> => millisecondsOf(server, query, sizes.queryRuns);
    return {
      'ingest events/s': [sizes.growthFieldEvents / seconds],
      'common field ms': await ask("logs | where service == 's3' | summarize count(), avg(duration) by status"),
      'rare field ms': await ask(`logs | where ['rare.f${Math.floor(names / 2)}'] > 5 | count`),
      'newest 100, all fields ms': await ask('logs | sort by _time desc | take 100'),
      'disk bytes/event': [(await diskBytesOf(server)) / sizes.growthFieldEvents],
      'memory MiB': [server.residentBytes() / 2 ** 20],
    };
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function rareEvent(random: Random, index: number, names: number): string {
  // Every name occurs at least once if there are enough events.
  const rare = Array.from({ length: 5 }, (_, i) => (index * 5 + i < names ? index * 5 + i : random.below(names)));
  return JSON.stringify({
    _time: timeOf(random, index, 1000),
    service: `s${random.below(8)}`,
    status: random.pick([200, 404, 500]),
    duration: random.latency(20),
    message: `request ${index} served`,
    rare: Object.fromEntries(rare.map((name) => [`f${name}`, random.below(1000)])),
  });
}
