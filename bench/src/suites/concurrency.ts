import type { Connection } from '../connection.js';
import { bodiesOf, eventsOf, fileOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { clientsNamed, repeat, run, send } from '../load.js';
import { difference } from '../queries/compare.js';
import { logQuestions } from '../queries/logs.js';
import { apl, call, createDataset, type Server } from '../server.js';
import { median, quantile } from '../statistics.js';
import { type Suite, withWorld } from '../world.js';
import { ask, createTyped, loadTyped } from '../baselines/engine.js';
import { sendFile } from './loading.js';

const question = logQuestions.find(({ name }) => name === 'histogram of time by level')!;

const queryOf = (connection: Connection, server: Server, authorization: string) =>
  connection.prepare('POST', '/v1/datasets/_apl?format=tabular', {
    headers: { ...server.headers, authorization, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ apl: question.apl })),
  });

/**
 * Sends small bodies at a steady rate until stopped, so that the server ingests but has time for
 * queries.
 */
function steadyIngest(server: Server): () => Promise<void> {
  let on = true;
  const done = (async () => {
    for (let from = 0; on; from += 500) {
      const bodies = await bodiesOf([...eventsOf(httpLogs, 500, from)], 500);
      await send(server, { dataset: 'incoming', bodies, clients: 1 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  // If the queries fail first, their error is the one to show.
  done.catch(() => undefined);
  return async () => {
    on = false;
    await done;
  };
}

/**
 * The fair wait: one query of the other token to finish, then cores shared with as many queries as
 * run at once (`MILLRACE_ENGINE_SESSIONS`).
 */
const fairWait = 1 + 4;

/**
 * Measures many clients that query during ingest, and a token with few queries next to one with
 * many.
 */
export const concurrencySuite: Suite = (context) =>
  withWorld(context, 'concurrency', async ({ server, yardstick: { engine } }) => {
    const { sizes, report, say } = context;
    const path = await fileOf(context.dataDirectory, httpLogs, sizes.concurrencyEvents);
    await createDataset(server, 'logs');
    await createDataset(server, 'incoming');
    await sendFile(server, httpLogs, path);
    await createTyped(engine, 'logs', httpLogs);
    await loadTyped(engine, 'logs', httpLogs, path);
    const problem = difference(question, await apl(server, question.apl), await ask(engine, question.sql));
    if (problem !== undefined)
      throw new Error(`${question.name}: our answer is not that of hand-written SQL: ${problem}`);
    const owner = server.headers['authorization'] ?? '';
    for (const clients of sizes.concurrency) {
      say(`concurrency: ${clientsNamed(clients)}`);
      const rates: { ours: number[]; theirs: number[]; p99: number[] } = { ours: [], theirs: [], p99: [] };
      for (let i = 0; i < sizes.runs; i++) {
        const stop = steadyIngest(server);
        const load = await repeat(server, clients, sizes.seconds, (connection) => queryOf(connection, server, owner));
        await stop();
        rates.ours.push(load.latencies.length / load.seconds);
        rates.p99.push(quantile(load.latencies, 0.99));
        const end = performance.now() + sizes.seconds * 1000;
        const theirs = await run(server, clients, async () => {
          if (performance.now() >= end) return false;
          await ask(engine, question.sql);
          return true;
        });
        rates.theirs.push(theirs.latencies.length / theirs.seconds);
      }
      report({
        suite: 'concurrency',
        name: `queries while events come in, ${clientsNamed(clients)}`,
        unit: '1/s',
        better: 'higher',
        ours: rates.ours,
        against: [{ name: 'hand-written SQL, nothing coming in', runs: rates.theirs }],
        others: { 'p99 ms': median(rates.p99) },
      });
    }
    say('concurrency: fairness');
    const light = await tokenOf(server);
    const heavyClients = Math.max(...sizes.concurrency);
    const waits: { alone: number[]; concurrent: number[] } = { alone: [], concurrent: [] };
    for (let i = 0; i < sizes.runs; i++) {
      const one = () => repeat(server, 1, sizes.seconds, (connection) => queryOf(connection, server, light));
      waits.alone.push(median((await one()).latencies));
      const heavy = repeat(server, heavyClients, sizes.seconds * 1.5, (connection) =>
        queryOf(connection, server, owner),
      );
      waits.concurrent.push(median((await one()).latencies));
      await heavy;
    }
    report({
      suite: 'concurrency',
      name: `a light token's query beside ${heavyClients} clients of a heavy one`,
      unit: 'ms',
      better: 'lower',
      ours: waits.concurrent,
      against: [{ name: 'alone', runs: waits.alone }],
      goals: [{ yardstick: 'alone', atMost: fairWait }],
    });
  });

async function tokenOf(server: Server): Promise<string> {
  const body = { name: 'light', datasetCapabilities: { logs: { query: ['read'] } } };
  const { token } = JSON.parse(await call(server, '/v2/tokens', body)) as { token: string };
  return `Bearer ${token}`;
}
