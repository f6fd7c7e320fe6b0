import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { residentBytes } from '../../../bench/src/process-figures.ts';
import { median, quantile } from '../../../bench/src/statistics.ts';
import { cell, createDataset, send } from '../../support/apl.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../../support/server-process.ts';
import { processesByKind, processorTimeOf } from './kinds-of-processes.ts';
import { openReplicatedPlaces } from './replicated-places.ts';

/**
 * `npm run crash -- --story cost`: the cost of nodes over replicas compared with a single server,
 * in turns, on one machine. Only ratios are meaningful: all servers share the CPUs.
 */

const rounds = Number(process.env['CRASH_CYCLES'] ?? 5);
const dataset = 'orders';
const atRestSeconds = 10;

/** Events like those of an application. */
const bodyOf = (from: number, count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, i) => ({
      id: from + i,
      method: ['GET', 'POST', 'PUT'][i % 3],
      path: `/api/v1/orders/${(from + i) % 5000}`,
      status: [200, 200, 200, 404, 500][i % 5],
      duration: ((from + i) % 997) / 10,
      user: `user-${(from + i) % 300}`,
      message: `request ${from + i} was answered after some time by worker ${i % 16}`,
    })),
  );

/** A server, or several that share the events, with its measurements. */
class Contestant {
  readonly name: string;
  readonly #servers: readonly ServerProcess[];
  readonly #figures = new Map<string, number[]>();
  #requests = 0;
  /** That were sent. */
  events = 0;

  constructor(name: string, servers: readonly ServerProcess[]) {
    this.name = name;
    this.#servers = servers;
  }

  async begin(): Promise<void> {
    expect((await createDataset(this.#next(), dataset)).status).toBe(200);
    await this.round();
    this.#figures.clear();
  }

  async round(): Promise<void> {
    for (let n = 0; n < 10; n++) await this.#time('acknowledged, one after another', () => this.take(20));
    const oneOfMany = (): Promise<void> => this.#time('acknowledged, sixteen at once', () => this.take(20));
    for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 16 }, oneOfMany));
    await this.#time('20,000 events, a thousand in a body, four at once', () => this.pour(20));
    for (let n = 0; n < 5; n++) {
      await this.take(1);
      await this.#time('a count right after an event', async () => expect(await this.count()).toBe(this.events));
    }
    for (let n = 0; n < 5; n++) {
      // Each is different, so that no result is cached.
      const some = `${dataset} | where status >= 400 and id >= ${this.#requests}`;
      const grouped = `${some} | summarize avg(duration) by user, bin(_time, 1m) | count`;
      await this.#time('a question with groups', () => cell(this.#next(), grouped));
    }
  }

  async pour(bodies: number): Promise<void> {
    for (let n = 0; n < bodies / 4; n++) await Promise.all(Array.from({ length: 4 }, () => this.take(1000)));
  }

  count(): Promise<unknown> {
    return cell(this.#next(), `${dataset} | count`);
  }

  async take(count: number): Promise<void> {
    const body = bodyOf(this.events, count);
    this.events += count;
    const answer = await send(this.#next(), dataset, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }

  print(): void {
    for (const [what, all] of this.#figures) {
      const [half, max] = [median(all), quantile(all, 0.9)].map((value) => value.toFixed(1));
      console.log(`${this.name}: ${what} (${all.length}): median ${half} ms, 9 of 10 within ${max} ms`);
    }
  }

  #next(): ServerProcess {
    return this.#servers[this.#requests++ % this.#servers.length]!;
  }

  async #time(what: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    this.#figures.set(what, [...(this.#figures.get(what) ?? []), performance.now() - began]);
  }
}

it('what nodes over replicas cost', { timeout: 3_600_000 }, async () => {
  const directory = temporaryDirectory();
  const alone = await startServer(directory, { MILLRACE_LOG_LEVEL: 'warn' });
  onTestFinished(async () => {
    await alone.kill();
    removeDirectory(directory);
  });
  // However slow the machine is, an insert is over by then.
  const places = await openReplicatedPlaces({ first: { settings: { MILLRACE_ACCEPT_TIMEOUT: '60s' } } });
  onTestFinished(() => places.end());
  const contestants = [
    new Contestant('a server alone', [alone]),
    new Contestant('three nodes over three replicas', places.nodes),
  ];
  for (const contestant of contestants) await contestant.begin();
  for (let n = 0; n < rounds; n++) for (const contestant of contestants) await contestant.round();
  for (const contestant of contestants) contestant.print();

  for (const contestant of contestants) {
    const times = await processorTimeOf(async () => {
      await contestant.pour(100);
      // Replicas fetch parts from one another and merge for the first time.
      await sleep(5000);
    });
    for (const [kind, seconds] of times)
      console.log(`${contestant.name}: 100,000 events: ${seconds.toFixed(2)} s of processor time of ${kind}`);
  }
  for (const contestant of contestants) expect(await contestant.count()).toBe(contestant.events);
  for (const [kind, seconds] of await processorTimeOf(() => sleep(atRestSeconds * 1000))) {
    const pids = processesByKind().get(kind) ?? [];
    const [share, bytes] = [(100 * seconds) / atRestSeconds, residentBytes(pids) / 2 ** 20].map(Math.round);
    console.log(`nothing to do: ${pids.length} × ${kind}: ${share} % of a core, ${bytes} MiB`);
  }
});
