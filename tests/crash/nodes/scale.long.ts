import { expect, it, onTestFinished } from 'vitest';
import { median, quantile } from '../../../bench/src/statistics.ts';
import { createDataset } from '../../support/apl.ts';
import { processorTimeOf } from './kinds-of-processes.ts';
import { openPlaces } from './places.ts';
import { ask } from './client.ts';

/**
 * `npm run crash -- --story scale`: small requests with keys to one, two and three nodes over one
 * ClickHouse server, in turns, on one machine.
 */

const rounds = Number(process.env['CRASH_CYCLES'] ?? 3);
const dataset = 'orders';
const eventsPerRequest = 20;
const requests = 120;
const requestsAtRest = 15;
/** Clients per node under load. */
const clients = 4;

const bodyOf = (id: string): string =>
  JSON.stringify(
    Array.from({ length: eventsPerRequest }, (_, n) => ({
      id,
      n,
      method: ['GET', 'POST', 'PUT'][n % 3],
      path: `/api/v1/orders/${n}`,
      status: 200,
      message: `request ${n} was answered by worker ${n % 16}`,
    })),
  );

it('the cost of small requests with keys', async () => {
  const places = await openPlaces(3, { MILLRACE_ACCEPT_TIMEOUT: '60s' });
  onTestFinished(() => places.end(), 120_000);
  await createDataset(places.nodes[0]!, dataset);
  let count = 0;
  const take = async (node: number): Promise<number> => {
    const key = `request ${count++}`;
    const began = performance.now();
    const headers = { 'idempotency-key': key };
    const { status } = await ask(places.nodes[node]!, `/v1/datasets/${dataset}/ingest`, { body: bodyOf(key), headers });
    expect(status).toBe(200);
    return performance.now() - began;
  };
  const atRest: number[] = [];
  const loaded = new Map<
    number,
    { readonly times: number[]; readonly rates: number[]; readonly cpu: Map<string, number> }
  >();
  for (let n = 0; n < 20; n++) await take(n % 3);
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < requestsAtRest; n++) atRest.push(await take(0));
    for (const nodes of [1, 2, 3]) {
      const found = loaded.get(nodes) ?? { times: [], rates: [], cpu: new Map<string, number>() };
      loaded.set(nodes, found);
      let left = requests;
      const client = async (node: number): Promise<void> => {
        while (left-- > 0) found.times.push(await take(node));
      };
      const began = performance.now();
      const used = await processorTimeOf(() =>
        Promise.all(Array.from({ length: nodes * clients }, (_, n) => client(n % nodes))),
      );
      found.rates.push((requests * 1000) / (performance.now() - began));
      for (const [kind, seconds] of used) found.cpu.set(kind, (found.cpu.get(kind) ?? 0) + seconds);
    }
  }
  console.log(`at rest: p50 ${median(atRest).toFixed(0)} ms, p99 ${quantile(atRest, 0.99).toFixed(0)} ms`);
  for (const [nodes, { times, rates, cpu }] of loaded) {
    const each = [...cpu].map(([kind, seconds]) => `${kind} ${((seconds * 1000) / (rounds * requests)).toFixed(1)}`);
    console.log(
      `${nodes} nodes, ${nodes * clients} clients: ${median(rates).toFixed(1)} requests/s, p50 ${median(times).toFixed(0)} ms, ` +
        `p99 ${quantile(times, 0.99).toFixed(0)} ms; CPU ms per request: ${each.join(', ')}`,
    );
  }
}, 1_800_000);
