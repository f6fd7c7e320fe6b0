import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf } from './events.js';
import type { Life } from './life.js';
import { Exporters } from './metrics/exporters.js';
import { Model } from './model.js';
import { Random } from './random.js';
import { read } from './reader.js';
import { oneMachine, type Scenario } from './scenario.js';
import { Server, type ServerOptions } from './server.js';

import { Tally } from './tally.js';
import { finish, runUpkeep } from './upkeep.js';
import { look, verify } from './verify.js';
import { send, write } from './writer.js';

export interface CampaignOptions extends Omit<ServerOptions, 'settings'> {
  /** Default: one machine. */
  readonly scenario?: Scenario;
  readonly cycles: number;
  readonly seed: number;
  /** Whether exporters send points of metrics, too. */
  readonly metrics?: boolean;
  /** Once aborted, no further cycle starts. */
  readonly stop?: AbortSignal;
  /** Called after each cycle. */
  readonly progress?: (cycle: number, tally: Tally) => void;
}

export interface CampaignResult {
  readonly tally: Tally;
  /** The last cycle that was started. */
  readonly cycle: number;
  /** Output of the last server. */
  readonly printed: string;
}

const datasetNames = ['orders', 'requests', 'traces'];
const writers = 3;
const readers = 2;
/** A dataset with more events is compared completely and then dropped. */
const fullEvents = 6000;
/** Compares everything once in this many cycles; the others compare only new data. */
const thoroughCycles = 25;

/**
 * Runs the server repeatedly on one data directory: start, check that everything acknowledged is
 * stored, load, strike. Stops at the first cycle that finds a violation.
 */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const { cycles, seed, stop, progress, scenario = oneMachine } = options;
  const { settings, isMoody = false } = scenario;
  const starts = isMoody ? 5 : 1;
  const tally = new Tally();
  const model = new Model(seed, datasetNames);
  const exporters = options.metrics === true ? new Exporters(seed) : undefined;
  let how: string | undefined;
  let server: Server | undefined;
  let cycle = 0;
  try {
    for (cycle = 1; cycle <= cycles && stop?.aborted !== true; cycle++) {
      const random = new Random(seed, 'cycle', cycle);
      server ??= await start(
        { ...options, settings, starts },
        tally,
        how === 'killed while it starts' ? random : undefined,
      );
      const life: Life = { seed, cycle, server, model, tally, exporters, over: false, struck: isMoody };
      await settle(life, cycle % thoroughCycles === 0 ? 'all' : 'new', scenario);
      if (tally.violations.length > 0) return { tally, cycle, printed: server.printed };
      how = random.pickWeighted(scenario.strikes);
      const survived = await load(life, how, random, scenario);
      tally.count(`cycles: ${how}`);
      progress?.(cycle, tally);
      if (tally.violations.length > 0) return { tally, cycle, printed: server.printed };
      if (!survived) server = undefined;
    }
    cycle--;
    server ??= await start({ ...options, settings, starts }, tally, undefined);
    const life: Life = { seed, cycle, server, model, tally, exporters, over: false, struck: isMoody };
    await settle(life, 'all', scenario);
    await recount(life);
    const code = await server.stop();
    if (code !== 0) tally.violation('unexpected', `the server was stopped and ended with ${code}`);
    return { tally, cycle, printed: server.printed };
  } catch (error) {
    tally.violation(
      'unexpected',
      error instanceof Error ? `${error.stack} ${String(error.cause ?? '')}` : String(error),
    );
    return { tally, cycle, printed: server?.printed ?? '' };
  } finally {
    if (server !== undefined && !server.ended) await server.kill();
  }
}

interface StartOptions extends ServerOptions {
  /**
   * Maximum start attempts; an attempt that times out waiting for a dependency counts. Default: 1.
   */
  readonly starts?: number;
}

/** @param interrupt whether, and when, starts before this one are killed */
async function start(options: StartOptions, tally: Tally, interrupt: Random | undefined): Promise<Server> {
  for (let more = interrupt?.between(1, 2) ?? 0; more > 0; more--) {
    const server = new Server(options);
    // For about half of this time, nothing has been opened yet.
    await sleep(interrupt!.between(100, 1800));
    if (interrupt!.chance(0.3)) server.signalEngine('SIGKILL');
    if (interrupt!.chance(0.2)) await server.stop();
    else await server.kill();
    tally.count('starts interrupted');
  }
  const began = performance.now();
  for (let left = options.starts ?? 1; ; left--) {
    const server = new Server(options);
    if (await server.ready) {
      tally.recordStart(performance.now() - began);
      return server;
    }
    await server.kill();
    if (left <= 1) throw new Error(`the server does not start\n${server.printed}`);
    // Retries, as a service manager does.
    tally.count('starts tried again');
  }
}

/**
 * Verifies, then finishes the operations that the last strike interrupted, as a client without a
 * response would.
 */
async function settle(life: Life, which: 'new' | 'all', scenario: Scenario): Promise<void> {
  life.server.isPatient = scenario.isMoody === true;
  await check(life, which);
  await scenario.inspect?.(life);
  life.server.isPatient = false;
}

async function check(life: Life, which: 'new' | 'all'): Promise<void> {
  const { model, tally } = life;
  await verify(life, which);
  await life.exporters?.check(life, which);
  for (const dataset of model.datasets) {
    await finish(life, dataset);
    for (const batch of dataset.batches.values()) {
      if (batch.key === undefined || (batch.fate !== 'there' && batch.fate !== 'absent')) continue;
      await send(life, dataset, batch, eventsOf(batch));
      tally.count('batches sent again after a strike');
    }
    if (dataset.events > fullEvents) {
      await look(life, dataset, 'all');
      dataset.full = true;
    }
  }
}

async function load(life: Life, how: string, random: Random, scenario: Scenario): Promise<boolean> {
  const clients = [
    ...Array.from({ length: writers }, (_, i) => write(life, String(i))),
    ...Array.from({ length: readers }, (_, i) => read(life, String(i))),
    runUpkeep(life),
    life.exporters?.export(life),
    life.exporters?.query(life),
  ];
  await sleep(random.between(100, 1200));
  if (life.server.ended) life.tally.violation('unexpected', `the server ended by itself\n${life.server.printed}`);
  const survived = await scenario.strike(life, how, random);
  life.over = true;
  await Promise.all(clients);
  return survived;
}

/** Has the server itself compare its log with its rows. */
async function recount({ server, tally }: Life): Promise<void> {
  const { status, body, text } = await server.request('/v1/verify', { method: 'POST' });
  const { wrong, refused } = body as { readonly wrong?: readonly unknown[]; readonly refused?: readonly unknown[] };
  if (status !== 200 || wrong?.length !== 0 || refused?.length !== 0)
    tally.violation('lost', `the server's own recount: ${text}`);
}
