import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { send } from '../load.js';
import { apl, createDataset, type Server, startServer } from '../server.js';
import type { Runs } from '../statistics.js';
import type { Context, Suite } from '../world.js';
import { growthOfFields } from './growth-fields.js';
import { diskBytesOf, growthReport, millisecondsOf } from './growth-report.js';
import { waitUntilMerged } from './loading.js';
import { warmIngest } from './warm-ingest.js';

/**
 * How figures change as data grows. The yardstick of each is the same figure with the least data.
 */

const queries = {
  'filter and count ms': "logs | where service == 'cart' and status == 404 | count",
  'one trace ms': `logs | where trace_id == '${'0'.repeat(32)}' | count`,
  'newest 100 ms': 'logs | sort by _time desc | take 100',
} as const;

const eventsPerBody = 5000;
const eventsAtOnce = 100_000;

/** More and more logs in one dataset. */
async function growthOfEvents(context: Context): Promise<void> {
  const { sizes, say } = context;
  const directory = join(context.directory, 'growth');
  mkdirSync(directory, { recursive: true });
  const reportPoint = growthReport(context);
  let server = await startServer(directory);
  try {
    const warming = await bodiesOf(
      [...eventsOf(httpLogs, Math.min(eventsAtOnce, sizes.growthEvents[0] ?? 0))],
      eventsPerBody,
    );
    await createDataset(server, 'logs');
    let sent = 0;
    for (const target of sizes.growthEvents) {
      say(`growth: ${target} events`);
      // Each time, because the server was restarted since.
      await warmIngest(server, { bodies: warming, clients: 2 });
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
      await waitUntilMerged(server);
      const times: Record<string, Runs> = {};
      for (const [name, query] of Object.entries(queries))
        times[name] = await millisecondsOf(server, query, sizes.queryRuns);
      const disk = (await diskBytesOf(server)) / sent;
      const loaded = await memoryAtRest(server, sizes.restSeconds);
      const restart: number[] = [];
      const firstAnswer: number[] = [];
      for (let i = 0; i < sizes.restarts; i++) {
        await server.stop();
        server = await startServer(directory);
        restart.push(server.startSeconds);
        const restarted = performance.now();
        const [[count] = []] = await apl(server, 'logs | count');
        firstAnswer.push(server.startSeconds + (performance.now() - restarted) / 1000);
        if (count !== sent) throw new Error(`${sent} events sent, ${String(count)} found after a restart`);
      }
      reportPoint({
        label: `${sent.toLocaleString('en')} events`,
        amount: sent,
        values: {
          'ingest events/s': [(sent - first) / seconds],
          ...times,
          'disk bytes/event': [disk],
          'memory at rest MiB': [loaded],
          'restart s': restart,
          'restart to first answer s': firstAnswer,
          'memory at rest after a restart MiB': [await memoryAtRest(server, sizes.restSeconds)],
        },
      });
    }
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** MiB of server and engine after some time without work. */
async function memoryAtRest(server: Server, seconds: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return server.residentBytes() / 2 ** 20;
}

export const growthSuite: Suite = async (context) => {
  await growthOfEvents(context);
  await growthOfFields(context);
};
