import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Axiom } from '@axiomhq/js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apl, cell, createDataset, send } from './support/apl.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * The main job from end to end, as a stranger would use it: a real server, real requests, real
 * kills.
 */

const count = (server: ServerProcess, dataset: string): Promise<unknown> => cell(server, `['${dataset}'] | count`);

describe('the main job', () => {
  const directory = temporaryDirectory();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer(directory);
  });
  afterAll(async () => {
    await server.stop();
    removeDirectory(directory);
  });

  it('takes events in every format and gives them back at once', async () => {
    await createDataset(server, 'formats');
    const event = { status: 200, path: '/' };
    const lines = `${JSON.stringify(event)}\n${JSON.stringify(event)}\n`;
    for (const [body, headers] of [
      [JSON.stringify([event, event]), {}],
      [JSON.stringify(event), {}],
      [lines, { 'content-type': 'application/x-ndjson' }],
      [lines, {}],
      [gzipSync(lines), { 'content-encoding': 'gzip' }],
      ['status,path\n200,/\n', { 'content-type': 'text/csv' }],
    ] as const)
      expect((await send(server, 'formats', body, headers)).status).toBe(200);
    expect(await count(server, 'formats')).toBe(10);
    const mixed = await apl(server, "['formats'] | summarize n=count() by tostring(status)");
    expect(mixed.tables[0]?.columns.at(-1)).toEqual([10]);
  });

  it('answers with all six members of an ingest status', async () => {
    await createDataset(server, 'status');
    const { body } = await send(server, 'status', '{"a":1}\n{"a":\n{"a":3}');
    expect(body).toMatchObject({ ingested: 2, failed: 1, processedBytes: 21 });
    expect(Object.keys(body as object).toSorted()).toEqual([
      'blocksCreated',
      'failed',
      'failures',
      'ingested',
      'processedBytes',
      'walLength',
    ]);
  });

  it('keeps 64-bit integers and nanoseconds', async () => {
    await createDataset(server, 'exact');
    await send(server, 'exact', '{"id":9007199254740993,"_time":"2026-01-02T03:04:05.123456789Z"}');
    const answer = await fetch(`${server.url}/v1/datasets/_apl?format=tabular`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ apl: 'exact | project id, _time' }),
    });
    const text = await answer.text();
    expect(text).toContain('[9007199254740993]');
    expect(text).toContain('2026-01-02T03:04:05.123456789Z');
  });

  it('a missing dataset says how to make it', async () => {
    const { status, body } = await send(server, 'nowhere', '{}');
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: expect.stringMatching(/not found.*POST \/v2\/datasets/) });
  });

  it('bin_auto without a time range divides the time that has events', async () => {
    await createDataset(server, 'bins');
    const events = Array.from({ length: 60 }, (_, i) => ({
      _time: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
    }));
    await send(server, 'bins', JSON.stringify(events));
    const { tables } = await apl(server, 'bins | summarize count() by bin_auto(_time)');
    expect(tables[0]?.columns[0]?.length).toBeGreaterThan(10);
  });

  it('serves the official client', async () => {
    await createDataset(server, 'client');
    const axiom = new Axiom({ url: server.url, token: server.token, orgId: 'any' });
    axiom.ingest('client', [{ foo: 'bar' }, { foo: 'baz', n: 1 }]);
    await axiom.flush();
    const result = await axiom.query("['client'] | where foo == 'baz'", { format: 'tabular' });
    expect(result.status.rowsMatched).toBe(1);
    expect(await axiom.datasets.get('client')).toMatchObject({ name: 'client' });
  });

  it('refuses a second server on the same directory', async () => {
    await expect(startServer(directory)).rejects.toThrow(/ended with 6[^]*in use by process/);
  });
});

it('says why the engine did not start', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'engine'));
  writeFileSync(join(directory, 'engine', 'clickhouse'), 'not a directory');
  await expect(startServer(directory)).rejects.toThrow(
    /ended with 1[^]*the engine did not start: .*engine\/clickhouse/,
  );
  removeDirectory(directory);
});

describe('kill -9 in the middle of a load', () => {
  it('loses nothing and duplicates nothing', async () => {
    const directory = temporaryDirectory();
    const acknowledged = new Set<number>();
    const sent = new Set<number>();
    let next = 0;
    try {
      for (let round = 0; round < 3; round++) {
        const server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'silent' });
        if (round === 0) await createDataset(server, 'load');
        let killed = false;
        const client = async (): Promise<void> => {
          while (!killed) {
            const ids = Array.from({ length: 1 + (next % 7) }, () => next++);
            for (const id of ids) sent.add(id);
            const answer = await send(server, 'load', JSON.stringify(ids.map((id) => ({ id })))).catch(() => undefined);
            if (answer?.status === 200) for (const id of ids) acknowledged.add(id);
          }
        };
        const clients = Array.from({ length: 8 }, client);
        const enough = acknowledged.size + 200 * (1 + round);
        await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(enough);
        await server.kill();
        killed = true;
        await Promise.all(clients);
      }
      const server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'silent' });
      const rows: number[] = [];
      for (let from = 0; from < next; from += 10_000) {
        const page = await apl(
          server,
          `load | where id >= ${from} and id < ${from + 10_000} | project id | limit 50000`,
        );
        rows.push(...(page.tables[0]!.columns[0] as number[]));
      }
      const stored = new Set(rows);
      expect(rows.length, 'an event is stored twice').toBe(stored.size);
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
      expect([...stored].filter((id) => !sent.has(id))).toEqual([]);
      expect(await server.stop()).toBe(0);
    } finally {
      removeDirectory(directory);
    }
  }, 120_000);
});
