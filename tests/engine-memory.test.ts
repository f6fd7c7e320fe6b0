import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cell, createDataset, send } from './support/apl.ts';
import {
  enginePid,
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * A query or the engine runs out of memory: the server survives, and accepts events without
 * interruption.
 */

const directory = temporaryDirectory();
let server: ServerProcess;
const queryMemory = 64 * 2 ** 20;

beforeAll(async () => {
  const settings = { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_QUERY_MEMORY_BYTES: String(queryMemory) };
  server = await startServer(directory, settings);
  await createDataset(server, 'logs');
  for (let from = 0; from < 200_000; from += 20_000) {
    const events = Array.from({ length: 20_000 }, (_, i) => ({ id: from + i, text: `${from + i} ${'x'.repeat(200)}` }));
    expect((await send(server, 'logs', JSON.stringify(events))).status).toBe(200);
  }
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

const greedy = () =>
  request(server, '/v1/datasets/_apl?format=tabular', {
    body: JSON.stringify({ apl: 'logs | summarize make_set(text, 1000000), dcount(text) by text | count' }),
  });

describe('a query that needs too much', () => {
  it('gets an error with its limit; engine, other queries and ingest continue', async () => {
    const before = enginePid(server);
    const [answers, count] = await Promise.all([
      Promise.all(Array.from({ length: 3 }, greedy)),
      cell(server, 'logs | count'),
      send(server, 'logs', '{"id":-1}').then(({ status }) => expect(status).toBe(200)),
    ]);
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).toBe(432);
      expect(body).toMatchObject({ message: expect.stringContaining(String(queryMemory)) });
    }
    expect(count).toBeGreaterThanOrEqual(200_000);
    expect(enginePid(server)).toBe(before);
  });
});

describe('an engine that gets no memory from the machine', () => {
  it('is replaced; queries can be retried, ingest acknowledges during the restart, and no event is lost', async () => {
    const there = Number(await cell(server, 'logs | count'));
    const before = enginePid(server)!;
    execFileSync('prlimit', ['--pid', String(before), '--data=1000000']);
    let acknowledged = 0;
    while (existsSync(`/proc/${before}`)) {
      const [ingest, query] = await Promise.all([send(server, 'logs', '{"id":-2}'), greedy()]);
      expect(ingest.status).toBe(200);
      acknowledged++;
      // Too much memory as before, or unavailable for the moment; never an internal error.
      expect([432, 503], JSON.stringify(query.body)).toContain(query.status);
      if (query.status === 503) expect(query.headers.get('retry-after')).toBe('1');
    }
    await expect.poll(() => request(server, '/healthz').then(({ status }) => status)).toBe(200);
    expect(await cell(server, 'logs | count')).toBe(there + acknowledged);
  });
});
