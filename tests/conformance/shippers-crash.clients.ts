import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataset } from '../support/apl.ts';
import { freePort } from '../support/free-port.ts';
import { removeDirectory, startServer, temporaryDirectory } from '../support/server-process.ts';
import { libraries, milliseconds, removeScratch, valuesOf } from './shippers/libraries.ts';

/**
 * Kills the server while libraries send: events that they report as delivered are stored, and they
 * recover without intervention.
 */

const key = 'known to both sides';
const enough = 50;

let directory = '';
beforeAll(async () => {
  directory = await libraries(['@elastic/elasticsearch@8', '@fluent-org/logger']);
}, milliseconds);
afterAll(removeScratch);

/**
 * Runs a program that sends one message at a time, and records the numbers that it reports as
 * delivered.
 */
function sendSteadily(...args: readonly string[]) {
  const child = spawn(process.execPath, ['steadily.mjs', ...args], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const delivered: string[] = [];
  createInterface(child.stdout).on('line', (line) => void delivered.push(line));
  return {
    delivered,
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
    kill: () => child.kill('SIGKILL'),
  };
}

it(
  'a kill in the middle loses nothing that was delivered',
  async () => {
    const data = temporaryDirectory();
    const [http, forward] = [await freePort(), await freePort()];
    const env = {
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_PORT: String(http),
      MILLRACE_FLUENTD_LISTENERS: `tcp://127.0.0.1:${forward}/fluentd`,
      MILLRACE_FLUENTD_SHARED_KEY: key,
    };
    let server = await startServer(data, env);
    for (const name of ['elastic', 'fluentd']) await createDataset(server, name);
    const programs = {
      elastic: sendSteadily('@elastic/elasticsearch', server.url, server.token, 'elastic'),
      fluentd: sendSteadily('@fluent-org/logger', `tcp://127.0.0.1:${forward}`, key, ''),
    };
    const all = Object.values(programs);
    const haveDelivered = async (count: number): Promise<void> => {
      await expect
        .poll(() => Math.min(...all.map(({ delivered }) => delivered.length)), { timeout: 60_000 })
        .toBeGreaterThan(count);
    };
    try {
      await haveDelivered(enough);
      await server.kill();
      const before = Math.max(...all.map(({ delivered }) => delivered.length));
      server = await startServer(data, env);
      await haveDelivered(before + enough);
      for (const program of all) await program.end();
      for (const [dataset, { delivered }] of Object.entries(programs)) {
        const stored = new Set(await valuesOf(server, dataset, 'message'));
        expect(delivered.filter((number) => !stored.has(number))).toEqual([]);
      }
    } finally {
      for (const program of all) program.kill();
      await server.stop();
      removeDirectory(data);
    }
  },
  milliseconds,
);
