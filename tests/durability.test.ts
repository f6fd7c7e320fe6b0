import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apl, cell, createDataset, send } from './support/apl.ts';
import {
  enginePid,
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * Durability of events with a 200, tested by killing the engine's process, the server, or both at
 * the worst moment.
 */

const directory = temporaryDirectory();
let server: ServerProcess;
const quiet = { MILLRACE_LOG_LEVEL: 'silent' };

beforeAll(async () => {
  server = await startServer(directory, quiet);
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

async function killAndRestart(): Promise<void> {
  await server.kill();
  server = await startServer(directory, quiet);
}

const idsOf = async (dataset: string): Promise<readonly number[]> => {
  const { tables } = await apl(server, `['${dataset}'] | project id | limit 50000`);
  return ((tables[0]?.columns[0] ?? []) as readonly number[]).toSorted((a, b) => a - b);
};

describe('the engine dies while events arrive', () => {
  it('ingest goes on, queries say that they can be tried again, and nothing is lost or doubled', async () => {
    await createDataset(server, 'engine-dies');
    const acknowledged: number[] = [];
    let next = 0;
    let going = true;
    const writer = (async () => {
      while (going) {
        const id = next++;
        const { status } = await send(server, 'engine-dies', JSON.stringify({ id }));
        expect(status).toBe(200);
        acknowledged.push(id);
      }
    })();
    for (let kill = 0; kill < 2; kill++) {
      await sleep(300);
      process.kill(enginePid(server)!, 'SIGKILL');
      const answers = await Promise.all(
        Array.from({ length: 3 }, () =>
          request(server, '/v1/datasets/_apl?format=tabular', {
            body: JSON.stringify({ apl: "['engine-dies'] | count" }),
          }),
        ),
      );
      for (const { status, headers } of answers)
        if (status !== 200) {
          expect(status).toBe(503);
          expect(headers.get('retry-after')).not.toBeNull();
        }
      await expect.poll(() => request(server, '/healthz').then(({ status }) => status)).toBe(200);
    }
    going = false;
    await writer;
    expect(await idsOf('engine-dies')).toEqual(acknowledged.toSorted((a, b) => a - b));
  });
});

describe('idempotent retries', () => {
  it('a repeated key is answered alike and stored once, also after a kill', async () => {
    await createDataset(server, 'retries');
    const headers = { 'idempotency-key': 'batch-1' };
    const body = JSON.stringify([{ id: 1 }, { id: 2 }]);
    const first = await send(server, 'retries', body, headers);
    const again = await send(server, 'retries', body, headers);
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await killAndRestart();
    const afterKill = await send(server, 'retries', body, headers);
    expect(afterKill.body).toEqual(first.body);
    expect(afterKill.headers.get('x-millrace-position')).toBe(first.headers.get('x-millrace-position'));
    expect(await idsOf('retries')).toEqual([1, 2]);
    await killAndRestart();
    expect((await send(server, 'retries', body, headers)).headers.get('idempotent-replayed')).toBe('true');
    expect(await idsOf('retries')).toEqual([1, 2]);
  });

  it('requests at the same time are stored once', async () => {
    await createDataset(server, 'at-once');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(server, 'at-once', '{"id":7}', { 'idempotency-key': 'k' })),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('x-millrace-position'))).size).toBe(1);
    expect(await idsOf('at-once')).toEqual([7]);
  });

  it('a key that comes with another body is refused', async () => {
    await createDataset(server, 'reused');
    await send(server, 'reused', '{"id":1}', { 'idempotency-key': 'k' });
    expect((await send(server, 'reused', '{"id":2}', { 'idempotency-key': 'k' })).status).toBe(409);
    expect(await idsOf('reused')).toEqual([1]);
  });
});

describe('receipts', () => {
  it('tell how far a batch has come', async () => {
    await createDataset(server, 'receipts');
    const { headers } = await send(server, 'receipts', '{"id":1}');
    const position = headers.get('x-millrace-position') ?? '';
    expect((await request(server, `/v1/receipts/${position}`)).body).toMatchObject({
      position,
      state: /logged|stored/,
    });
    await idsOf('receipts');
    expect((await request(server, `/v1/receipts/${position}`)).body).toEqual({ position, state: 'stored' });
    expect((await request(server, `/v1/receipts/${BigInt(position) + 1000n}`)).status).toBe(404);
    expect((await request(server, '/v1/receipts/x')).status).toBe(404);
  });
});

describe('deletion by query', () => {
  it('counts first, then deletes exactly what matches, for good', async () => {
    await createDataset(server, 'deletes');
    await send(server, 'deletes', JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, odd: id % 2 === 1 }))));
    const remove = (commit: boolean) =>
      request(server, '/v2/datasets/_apl/delete', {
        body: JSON.stringify({ apl: "['deletes'] | where odd == true | where id < 50", commit }),
      });
    expect((await remove(false)).body).toMatchObject({ dryRun: true, rowsMatched: 25, rowsDeleted: 0 });
    expect(await cell(server, 'deletes | count')).toBe(100);
    expect((await remove(true)).body).toMatchObject({ dryRun: false, rowsMatched: 25, rowsDeleted: 25 });
    const left = Array.from({ length: 100 }, (_, id) => id).filter((id) => id % 2 === 0 || id >= 50);
    expect(await idsOf('deletes')).toEqual(left);
    await killAndRestart();
    expect(await idsOf('deletes')).toEqual(left);
  });

  it('takes nothing but filters', async () => {
    await createDataset(server, 'careful');
    for (const apl of ['careful | take 1', 'careful | summarize count()', 'union careful', "['care*']", 'print 1'])
      expect(
        (await request(server, '/v2/datasets/_apl/delete', { body: JSON.stringify({ apl, commit: true }) })).status,
      ).toBeGreaterThanOrEqual(400);
  });
});

describe('the recount', () => {
  it('agrees while the server runs', async () => {
    await createDataset(server, 'recount');
    for (let id = 0; id < 5; id++) await send(server, 'recount', JSON.stringify({ id }));
    const { status, body } = await request(server, '/v1/verify', { method: 'POST' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ wrong: [] });
    expect((body as { events: number }).events).toBeGreaterThanOrEqual(5);
  });
});

describe('metrics', () => {
  it('points that were acknowledged before a kill are there once after it', async () => {
    await request(server, '/v2/datasets', { body: JSON.stringify({ name: 'points', kind: 'otel:metrics:v1' }) });
    const sendPoint = (i: number) =>
      request(server, '/v1/metrics', {
        headers: { 'x-axiom-dataset': 'points', 'content-type': 'application/json' },
        body: JSON.stringify({
          resourceMetrics: [
            {
              scopeMetrics: [
                {
                  metrics: [
                    {
                      name: 'm',
                      gauge: { dataPoints: [{ timeUnixNano: `${1_790_000_000 + i}000000000`, asInt: '1' }] },
                    },
                  ],
                },
              ],
            },
          ],
        }),
      });
    for (let round = 0; round < 2; round++) {
      const points = Array.from({ length: 20 }, (_, i) => sendPoint(i));
      for (const { status } of await Promise.all(points)) expect(status).toBe(200);
      await killAndRestart();
      const answer = await request(server, '/v1/query/_mpl', {
        body: JSON.stringify({
          mpl: 'points:m | align using count',
          startTime: '2026-09-21T00:00:00Z',
          endTime: '2026-09-22T00:00:00Z',
        }),
      });
      // The second round repeats the points of the first.
      expect(answer.body).toMatchObject({ series: [{ data: [20] }] });
    }
  });
});
