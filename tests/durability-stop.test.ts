import { once } from 'node:events';
import { request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { cell, createDataset, send } from './support/apl.ts';
import { enginePid, removeDirectory, request, startServer, temporaryDirectory } from './support/server-process.ts';

/** Events during a shutdown, and when the server has to reject them. */

const directory = temporaryDirectory();
const quiet = { MILLRACE_LOG_LEVEL: 'silent' };
afterAll(() => removeDirectory(directory));

describe('SIGTERM while events arrive', () => {
  it('ends with 0 without waiting for its time limit, and everything acknowledged is there at the next start', async () => {
    const first = await startServer(directory, { ...quiet, MILLRACE_SHUTDOWN_TIMEOUT: '1h' });
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
    await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(1000);
    expect(await first.stop()).toBe(0);
    stopping = true;
    await Promise.all(clients);
    const second = await startServer(directory, { MILLRACE_LOG_LEVEL: 'info' });
    const there = Number(await cell(second, 'stopping | count'));
    expect(there).toBeGreaterThanOrEqual(acknowledged);
    // At most the requests in flight at the end were stored without a response.
    expect(there - acknowledged).toBeLessThanOrEqual(8 * 50);
    expect(await second.stop()).toBe(0);
    // Its last line reports that nothing was aborted, and the duration.
    const last = (): unknown => JSON.parse(second.output().trimEnd().split('\n').at(-1)!);
    await expect.poll(last).toMatchObject({ seconds: expect.any(Number), msg: expect.stringMatching(/^stopped/) });
  }, 60_000);
});

describe('SIGTERM while an idle connection is open', () => {
  it('closes it', async () => {
    const server = await startServer(directory, { ...quiet, MILLRACE_SHUTDOWN_TIMEOUT: '1h' });
    const { port, hostname } = new URL(server.url);
    const connection = connect(Number(port), hostname).on('error', () => undefined);
    await once(connection, 'connect');
    expect(await server.stop()).toBe(0);
    connection.destroy();
  });
});

describe('SIGTERM while a request is held', () => {
  it('ends the server when that is answered, though its client keeps the connection', async () => {
    const server = await startServer(directory, { ...quiet, MILLRACE_SHUTDOWN_TIMEOUT: '1h' });
    await createDataset(server, 'kept');
    const agent = new Agent({ keepAlive: true });
    const response = new Promise<readonly unknown[]>((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
      const path = `${server.url}/v1/datasets/_apl?format=tabular&streaming-duration=2s`;
      const sending = httpRequest(path, { method: 'POST', agent, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve([answer.statusCode, answer.headers.connection]));
      });
      sending.once('error', reject);
      sending.end(JSON.stringify({ apl: 'kept', startTime: 'now-1m' }));
    });
    await expect.poll(async () => (await request(server, '/v1/queries')).body as readonly object[]).toHaveLength(1);
    const stopped = server.stop();
    expect(await response).toEqual([200, 'close']);
    expect(await stopped).toBe(0);
    agent.destroy();
  });

  it.each([
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const)('waits for it, and a second signal ends it: %s, then %s', async (first, second) => {
    const server = await startServer(directory, { ...quiet, MILLRACE_SHUTDOWN_TIMEOUT: '1h' });
    await createDataset(server, 'held');
    const response = request(server, '/v1/datasets/_apl?format=tabular&streaming-duration=5m', {
      body: JSON.stringify({ apl: 'held', startTime: 'now-1m' }),
    }).catch(() => 'cut');
    const runningQueries = async () => (await request(server, '/v1/queries')).body as readonly object[];
    await expect.poll(runningQueries).toHaveLength(1);
    let over = false;
    const ended = once(server.process, 'exit').finally(() => (over = true));
    server.process.kill(first);
    await expect.poll(() => request(server, '/healthz').catch(() => 'gone')).toBe('gone');
    expect(over).toBe(false);
    server.process.kill(second);
    expect(await ended).toEqual([null, second]);
    expect(await response).toBe('cut');
  });
});

describe('an engine that hangs', () => {
  it('lets ingest go on until too much waits, then refuses before the body, on a connection that stays good', async () => {
    const server = await startServer(directory, { ...quiet, MILLRACE_MAX_PENDING_BYTES: '16MiB' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: Buffer): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
        const path = `${server.url}/v1/datasets/hanging/ingest`;
        const sending = httpRequest(path, { method: 'POST', agent, headers }, (answer) => {
          answer.resume();
          answer.once('end', () =>
            resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }),
          );
        });
        sending.once('error', reject);
        sending.end(body);
      });
    try {
      await createDataset(server, 'hanging');
      process.kill(enginePid(server)!, 'SIGSTOP');
      const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(900_000) }));
      let taken = 0;
      let refused: string | undefined;
      const sendOne = async (): Promise<number> => {
        const { status, retryAfter } = await post(large);
        if (status === 200) taken++;
        if (status === 429) refused = retryAfter ?? 'no retry-after';
        return status;
      };
      const statuses: number[] = [];
      for (let i = 0; i < 30; i++) statuses.push(await sendOne());
      expect(statuses.slice(0, 10), 'the log takes events meanwhile').toEqual(statuses.slice(0, 10).map(() => 200));
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(statuses).toContain(429);
      expect(refused).toBe('1');
      await expect.poll(sendOne).toBe(200);
      await expect.poll(() => cell(server, 'hanging | count').catch(() => 'not yet')).toBe(taken);
    } finally {
      agent.destroy();
      await server.stop();
    }
  }, 60_000);
});
