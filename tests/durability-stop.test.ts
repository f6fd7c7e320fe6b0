import { request as httpRequest, Agent } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { cell, createDataset, send } from './support/apl.ts';
import { removeDirectory, startServer, temporaryDirectory } from './support/server-process.ts';

/** What a server does with events when it is told to stop, and when it has to refuse them. */

const directory = temporaryDirectory();
const quiet = { MILLRACE_LOG_LEVEL: 'silent' };
afterAll(() => removeDirectory(directory));

describe('SIGTERM while events arrive', () => {
  it('ends with 0 within seconds, and everything acknowledged is there at the next start', async () => {
    const first = await startServer(directory, quiet);
    await createDataset(first, 'stopping');
    let acknowledged = 0;
    let stopping = false;
    const client = async (): Promise<void> => {
      while (!stopping) {
        const body = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(200) })));
        const answer = await send(first, 'stopping', body).catch(() => undefined);
        if (answer?.status === 200) acknowledged += 50;
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const began = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
    stopping = true;
    await Promise.all(clients);
    const second = await startServer(directory, quiet);
    expect(acknowledged).toBeGreaterThan(1000);
    const there = Number(await cell(second, 'stopping | count'));
    expect(there).toBeGreaterThanOrEqual(acknowledged);
    // At most the requests that ran when it ended were stored and not answered.
    expect(there - acknowledged).toBeLessThanOrEqual(8 * 50);
    expect(await second.stop()).toBe(0);
  }, 60_000);
});

describe('a refusal before the body is read', () => {
  it('leaves a connection that serves the next request', async () => {
    const server = await startServer(directory, { ...quiet, MILLRACE_MAX_PENDING_BYTES: '16MiB' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (path: string, body: Buffer): Promise<number> =>
      new Promise((resolve, reject) => {
        const sending = httpRequest(
          server.url + path,
          {
            method: 'POST',
            agent,
            headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
          },
          (answer) => {
            answer.resume();
            answer.once('end', () => resolve(answer.statusCode ?? 0));
          },
        );
        sending.once('error', reject);
        sending.end(body);
      });
    try {
      const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(500_000) }));
      // No such dataset and no such right: refused without a look at the body.
      for (let i = 0; i < 3; i++) expect(await post('/v1/nothing', large)).toBe(404);
      expect(await post('/v1/datasets/stopping/ingest', large)).toBe(200);
    } finally {
      agent.destroy();
      await server.stop();
    }
  }, 30_000);
});
