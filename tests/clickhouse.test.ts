import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clickHouseLogin, whyNoClickHouse } from '../packages/engine/src/testing/clickhouse.ts';
import { type HttpFront, openHttpFront } from '../packages/engine/src/testing/http-front.ts';
import { apl, cell, createDataset, send, type Tabular } from './support/apl.ts';
import { documentedGrants } from './support/clickhouse-rights.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * A server whose events are in a real ClickHouse server, as a user with the rights that the page
 * about it names.
 */

const absent = (await whyNoClickHouse()) !== undefined;

// Servers start many times here.
vi.setConfig({ testTimeout: 120_000 });

const directory = temporaryDirectory();
let front: HttpFront;
let server: ServerProcess;
const settings = (): Readonly<Record<string, string>> => ({
  MILLRACE_LOG_LEVEL: 'warn',
  MILLRACE_CLICKHOUSE_URL: front.url,
  MILLRACE_CLICKHOUSE_USER: clickHouseLogin.user,
  MILLRACE_CLICKHOUSE_PASSWORD: clickHouseLogin.password,
});
const start = (): Promise<ServerProcess> => startServer(directory, settings());

beforeAll(async () => {
  front = await openHttpFront({ grants: documentedGrants });
  server = await start();
});
afterAll(async () => {
  await server.stop();
  await front.end();
  removeDirectory(directory);
});

const post = (path: string, body: object) => request(server, path, { body: JSON.stringify(body) });
const idsOf = async (dataset: string): Promise<readonly number[]> => {
  const { tables } = await apl(server, `['${dataset}'] | project id | limit 50000`);
  return ((tables[0]?.columns[0] ?? []) as readonly number[]).toSorted((a, b) => a - b);
};
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const recount = async (): Promise<unknown> =>
  ((await post('/v1/verify', {})).body as { readonly wrong: unknown }).wrong;

/**
 * Sends events one at a time, some with a new field, until it is stopped; returns the IDs that were
 * acknowledged.
 */
function writer(dataset: string, from = 0): () => Promise<readonly number[]> {
  const acknowledged: number[] = [];
  let going = true;
  const work = (async () => {
    for (let id = from; going; id++) {
      const event = { id, ...(id % 40 === 0 && { [`field ${id}`]: id }) };
      const { status } = await send(server, dataset, JSON.stringify(event)).catch(() => ({ status: 0 }));
      if (status === 0) return;
      expect(status).toBe(200);
      acknowledged.push(id);
    }
  })();
  return async () => {
    going = false;
    await work;
    return acknowledged;
  };
}

/**
 * Every acknowledged event is stored exactly once. Events in flight when the server was killed may
 * be stored, too.
 */
async function expectAll(dataset: string, acknowledged: readonly number[]): Promise<void> {
  const ids = await idsOf(dataset);
  expect(new Set(ids).size).toBe(ids.length);
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.length - acknowledged.length).toBeLessThanOrEqual(1);
  expect(await recount()).toEqual([]);
}

describe.skipIf(absent)('what can be done with events', () => {
  const wide = (id: number): object =>
    Object.fromEntries([['id', id], ...Array.from({ length: 300 }, (_, i) => [`é ${'n'.repeat(80)} ${i}`, i + id])]);

  it('they come in, with hundreds of fields whose names take more than an address may hold, and are queried', async () => {
    await createDataset(server, 'wide');
    expect((await send(server, 'wide', JSON.stringify(upTo(50).map(wide)))).status).toBe(200);
    expect(await idsOf('wide')).toEqual(upTo(50));
    expect(await cell(server, `['wide'] | summarize sum(['é ${'n'.repeat(80)} 299'])`)).toBe(50 * 299 + (49 * 50) / 2);
  });

  it('they are paged, streamed, deleted by query, and their columns removed', async () => {
    await createDataset(server, 'some');
    const events = upTo(250).map((id) => ({ id, odd: id % 2 === 1, ...(id % 2 === 1 && { only: 'odd' }) }));
    expect((await send(server, 'some', JSON.stringify(events))).status).toBe(200);
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      const answer: Tabular = await apl(server, 'some | project id | limit 100', {
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...(answer.tables[0]!.columns[0] as number[]));
      cursor = answer.status.minCursor;
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(upTo(250));

    const exported = await fetch(`${server.url}/v1/export?apl=${encodeURIComponent('some | project id')}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect((await exported.text()).trim().split('\n')).toHaveLength(250);

    const deleted = await post('/v2/datasets/_apl/delete', { apl: 'some | where odd', commit: true });
    expect(deleted.body).toMatchObject({ rowsDeleted: 125 });
    expect(await cell(server, 'some | count')).toBe(125);
    expect((await post('/v2/datasets/some/vacuum', {})).status).toBeLessThan(300);
    expect(await cell(server, "getschema = some | getschema | where ColumnName == 'only' | count").catch(() => 0)).toBe(
      0,
    );
    expect(await recount()).toEqual([]);
  });

  it('and all of them are there after a restart', async () => {
    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain(clickHouseLogin.password);
    server = await start();
    expect(await idsOf('wide')).toEqual(upTo(50));
    expect(await cell(server, 'some | count')).toBe(125);
  });
});

describe.skipIf(absent)('nothing acknowledged is lost or doubled', () => {
  it('when the server is killed, again and again', async () => {
    await createDataset(server, 'killed');
    const acknowledged: number[] = [];
    for (let life = 0; life < 2; life++) {
      const stop = writer('killed', life * 100_000);
      await sleep(1000);
      await server.kill();
      acknowledged.push(...(await stop()));
      server = await start();
    }
    const ids = await idsOf('killed');
    expect(new Set(ids).size).toBe(ids.length);
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
    expect(await recount()).toEqual([]);
  });

  it('when connections break before and after an insert was executed', async () => {
    await createDataset(server, 'cut');
    let inserts = 0;
    front.watch = (moment, sql, cut) => {
      if (!sql.startsWith('INSERT')) return;
      if (moment === 'before') inserts += 1;
      if ((inserts % 3 === 1 && moment === 'before') || (inserts % 3 === 2 && moment === 'after')) cut();
    };
    const stop = writer('cut');
    await expect.poll(() => inserts).toBeGreaterThan(6);
    const acknowledged = await stop();
    front.watch = () => undefined;
    await expect.poll(async () => (await request(server, '/healthz')).status).toBe(200);
    await expectAll('cut', acknowledged);
  });

  it('survives an outage of ClickHouse, during which events are accepted and queries rejected', async () => {
    await createDataset(server, 'away');
    const stop = writer('away');
    await sleep(500);
    await front.stop();
    const reasons = async (): Promise<string> => JSON.stringify((await request(server, '/healthz')).body);
    await expect.poll(reasons).toContain('ClickHouse does not answer (ECONNREFUSED)');
    expect((await request(server, '/healthz')).status).toBe(503);
    const refused = await post('/v1/datasets/_apl?format=tabular', { apl: 'away | count' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await sleep(500);
    await front.start();
    await expect.poll(async () => (await request(server, '/healthz')).status).toBe(200);
    await expectAll('away', await stop());
  });

  it('survives when the server is killed midway and starts before ClickHouse', async () => {
    await front.stop();
    const ids = [900_001, 900_002, 900_003];
    for (const id of ids) expect((await send(server, 'away', JSON.stringify({ id }))).status).toBe(200);
    await server.kill();
    const starting = start();
    await sleep(1000);
    await front.start();
    server = await starting;
    expect((await idsOf('away')).slice(-3)).toEqual(ids);
    expect(await recount()).toEqual([]);
  });
});

describe.skipIf(absent)('a data directory and its database', () => {
  const other = temporaryDirectory();
  afterAll(() => removeDirectory(other));

  it('belong together', async () => {
    await expect(startServer(other, settings())).rejects.toThrow(
      /MILLRACE_CLICKHOUSE_URL: .*belongs to another data directory/,
    );
    await server.stop();
    await expect(startServer(directory)).rejects.toThrow(/MILLRACE_CLICKHOUSE_URL: .*uses a ClickHouse server/);
    await front.server.run('DROP DATABASE millrace');
    await expect(start()).rejects.toThrow(/is not the one with the events of this data directory/);
  });

  it('do not take the place of the embedded engine', async () => {
    const embedded = temporaryDirectory();
    mkdirSync(join(embedded, 'engine'));
    await expect(startServer(embedded, settings())).rejects.toThrow(
      /are in its embedded engine; leave the setting out/,
    );
    removeDirectory(embedded);
  });
});
