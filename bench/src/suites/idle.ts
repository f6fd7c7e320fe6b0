import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { send } from '../load.js';
import { apl, createDataset, type Server, startServer } from '../server.js';
import type { Runs } from '../statistics.js';
import type { Context, Suite } from '../world.js';
import { waitUntilMerged } from './loading.js';

/** What a server takes that has nothing to do, or one event a second. */

const eventsPerBody = 5000;
const eventsAtOnce = 100_000;
/** Cheapest durable write: a page of the log for each event. */
const goalBytes = 4096;

interface Usage {
  readonly cpuPercent: number;
  readonly wakeups: number;
  readonly bytes: number;
}

/** Usage per second while some work runs, in percent of a core, waits and bytes. */
async function usageDuring(server: Server, work: () => Promise<void>): Promise<Usage> {
  const state = (): readonly number[] => [server.cpuMilliseconds(), server.waits(), server.writtenBytes()];
  const [before, started] = [state(), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  const [cpu = 0, wakeups = 0, bytes = 0] = state().map((value, i) => (value - before[i]!) / seconds);
  return { cpuPercent: cpu / 10, wakeups, bytes };
}

async function load(server: Server, from: number, to: number): Promise<void> {
  for (let sent = from; sent < to;) {
    const bodies = await bodiesOf([...eventsOf(httpLogs, Math.min(eventsAtOnce, to - sent), sent)], eventsPerBody);
    await send(server, { dataset: 'logs', bodies, clients: 2 });
    sent += bodies.reduce((sum, body) => sum + body.events, 0);
  }
  await apl(server, 'logs | count');
  await waitUntilMerged(server);
}

/** One event a second. */
async function trickle(server: Server, seconds: number, first: number): Promise<void> {
  const events = [...eventsOf(httpLogs, seconds, first)];
  for (const event of events) {
    const sent = performance.now();
    await send(server, { dataset: 'logs', bodies: await bodiesOf([event], 1), clients: 1 });
    await sleep(Math.max(0, sent + 1000 - performance.now()));
  }
}

const figuresOf = (usages: readonly Usage[]): Readonly<Record<keyof Usage, Runs>> => ({
  cpuPercent: usages.map(({ cpuPercent }) => cpuPercent),
  wakeups: usages.map(({ wakeups }) => wakeups),
  bytes: usages.map(({ bytes }) => bytes),
});

function reportUsage(
  { report }: Context,
  name: string,
  usages: readonly Usage[],
  goals: Readonly<Record<keyof Usage, number>>,
): void {
  const figures = figuresOf(usages);
  const common = { suite: 'idle', better: 'lower', against: [] } as const;
  const [cpu, wakeups, bytes] = [
    [{ atMost: goals.cpuPercent }],
    [{ atMost: goals.wakeups }],
    [{ atMost: goals.bytes }],
  ];
  report({ ...common, name: `${name}, CPU`, unit: '% of a core', ours: figures.cpuPercent, goals: cpu });
  report({ ...common, name: `${name}, wakeups`, unit: '1/s', ours: figures.wakeups, goals: wakeups });
  report({ ...common, name: `${name}, written`, unit: 'B/s', ours: figures.bytes, goals: bytes });
}

export const idleSuite: Suite = async (context) => {
  const { sizes, say } = context;
  const directory = join(context.directory, 'idle');
  mkdirSync(directory, { recursive: true });
  const server = await startServer(directory);
  try {
    await createDataset(server, 'logs');
    let sent = 0;
    for (const target of sizes.idleEvents) {
      const label = `${target.toLocaleString('en')} events`;
      say(`idle: ${label}`);
      await load(server, sent, target);
      sent = Math.max(sent, target);
      await sleep(sizes.idleRestSeconds * 1000);
      const [idle, trickling]: [Usage[], Usage[]] = [[], []];
      for (let run = 0; run < sizes.runs; run++) {
        idle.push(await usageDuring(server, () => sleep(sizes.idleSeconds * 1000)));
        trickling.push(await usageDuring(server, () => trickle(server, sizes.idleSeconds, sent)));
        sent += sizes.idleSeconds;
      }
      reportUsage(context, `idle with ${label}`, idle, { cpuPercent: 0.8, wakeups: 20, bytes: 100 });
      reportUsage(context, `one event a second, ${label}`, trickling, { cpuPercent: 3, wakeups: 60, bytes: goalBytes });
    }
    const [[count] = []] = await apl(server, 'logs | count');
    if (count !== sent) throw new Error(`${sent} events acknowledged, ${String(count)} found`);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};
