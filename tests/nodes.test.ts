import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clickHouseLogin, openClickHouse, whyNoClickHouse } from '../packages/engine/src/testing/clickhouse.ts';
import { defaultSettings } from '@millrace/http/settings/settings';
import { joinCluster } from '@millrace/server/startup/node';
import { openEngine } from '@millrace/server/startup/open-engine';
import { openMetadataOrFail, openSharedDatabase } from '@millrace/server/startup/open-metadata-database';
import { restoreIntoNodes } from '@millrace/server/startup/restore-nodes';
import { whyNoPostgres } from '@millrace/metadata/testing/postgres';
import { openPlaces, type Places } from './crash/nodes/places.ts';
import { apl, cell, createDataset, send } from './support/apl.ts';
import { millrace } from './support/command.ts';
import { anHourAhead } from './support/fast-clock.ts';
import { follow, settledAt } from './support/followed-tail.ts';
import { newerVersion } from './support/newer-program.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';
import { isDeep } from './support/depth.js';

/**
 * Three nodes over one real ClickHouse server and one PostgreSQL database, each a process of its
 * own.
 */

const absent = (await whyNoClickHouse()) !== undefined || whyNoPostgres() !== undefined;
// Timeouts only for hangs: several servers start here, possibly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let places: Places;

const node = (n: number): ServerProcess => places.nodes[n % places.nodes.length]!;
const ids = async (server: ServerProcess, dataset: string): Promise<readonly number[]> => {
  const { tables } = await apl(server, `['${dataset}'] | project id | limit 50000`);
  return ((tables[0]?.columns[0] ?? []) as readonly number[]).toSorted((a, b) => a - b);
};
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

describe.skipIf(absent)('three nodes', () => {
  beforeAll(async () => {
    // However slow the machine is, an insert is over by then.
    places = await openPlaces(3, { MILLRACE_ACCEPT_TIMEOUT: '60s' });
  });
  afterAll(() => places.end());

  it('make a dataset, and each takes events that every other one sees at once', async () => {
    await createDataset(node(0), 'seen');
    for (const id of upTo(12)) {
      const event = { id, [`field ${id}`]: id };
      expect((await send(node(id), 'seen', JSON.stringify(event))).status).toBe(200);
      expect(await cell(node(id + 1), `seen | where ['field ${id}'] == ${id} | count`)).toBe(1);
    }
    for (const each of places.nodes) expect(await ids(each, 'seen')).toEqual(upTo(12));
  });

  it('list one another', async () => {
    const { body } = await request(node(1), '/v1/nodes');
    const listed = body as readonly { readonly epoch: number; readonly live: boolean; readonly url: string }[];
    expect(listed.map(({ epoch, live }) => [epoch, live])).toEqual([
      [3, true],
      [2, true],
      [1, true],
    ]);
    await expect.poll(async () => JSON.stringify((await request(node(1), '/v1/nodes')).body)).toContain(node(2).url);
  });

  it('refuse a token with the next request after one of them has removed it', async () => {
    const body = JSON.stringify({ name: 't', datasetCapabilities: { seen: { query: ['read'] } } });
    const made = (await request(node(0), '/v2/tokens', { body })).body as {
      readonly id: string;
      readonly token: string;
    };
    const ask = async (n: number): Promise<number> =>
      (
        await request({ url: node(n).url, token: made.token }, '/v1/datasets/_apl?format=tabular', {
          body: '{"apl":"seen | count"}',
        })
      ).status;
    expect(await Promise.all([0, 1, 2].map(ask))).toEqual([200, 200, 200]);
    await request(node(0), `/v2/tokens/${made.id}`, { method: 'DELETE' });
    expect(await Promise.all([0, 1, 2].map(ask))).toEqual([403, 403, 403]);
  });

  it('store a request with an idempotency key once, though it comes to all at once', async () => {
    await createDataset(node(1), 'keyed');
    const stored = await Promise.all(
      upTo(9).map(async (n) => {
        const headers = { 'idempotency-key': 'one' };
        return (await request(node(n), '/v1/datasets/keyed/ingest', { body: '{"id":1}', headers })).status;
      }),
    );
    expect(stored).toEqual(upTo(9).map(() => 200));
    for (const each of places.nodes) expect(await ids(each, 'keyed')).toEqual([1]);
    const other = await request(node(2), '/v1/datasets/keyed/ingest', {
      body: '{"id":2}',
      headers: { 'idempotency-key': 'one' },
    });
    expect(other.status).toBe(409);
  });

  it('take two hundred new fields at once', async () => {
    await createDataset(node(2), 'wide');
    const sent = await Promise.all(
      upTo(200).map(
        async (id) =>
          (await send(node(id), 'wide', JSON.stringify({ id, [`f${id}`]: id, [`s${id % 7}`]: `x${id}` }))).status,
      ),
    );
    expect(new Set(sent)).toEqual(new Set([200]));
    for (const each of places.nodes) {
      expect(await ids(each, 'wide')).toEqual(upTo(200));
      expect(await cell(each, `wide | summarize sum(f199)`)).toBe(199);
    }
  });

  it('say what they do not have', async () => {
    const { status, body } = await request(node(0), '/v2/datasets/seen/vacuum', { method: 'POST' });
    expect(status).toBe(501);
    expect(JSON.stringify(body)).toContain('is not available in multi-node mode');
  });

  it('are followed in one order by all, also where one dies in the middle, and nothing is missing or twice', async () => {
    await createDataset(node(0), 'followed');
    const start = await settledAt(node(0), 'followed');
    const tails = [0, 1].map((n) => follow(node(n), 'followed', start));
    const acknowledged: number[] = [];
    let going = true;
    const writers = [0, 1, 2].map(async (n) => {
      for (let i = 0; going; i++) {
        const id = n * 100_000 + i;
        const late = i % 3 === 0 ? [{ id: id + 50_000, _time: '2026-01-01T00:00:00Z' }] : [];
        const body = JSON.stringify([...late, { id }]);
        const answer = await send(node(n), 'followed', body).catch(() => undefined);
        if (answer?.status === 200) acknowledged.push(id, ...late.map((event) => event.id));
        await pause(50);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
    await node(2).kill();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await places.restart(2);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(30);
    going = false;
    await Promise.all(writers);
    const there = await ids(node(1), 'followed');
    for (const tail of tails)
      await expect.poll(() => tail.ids.toSorted((a, b) => a - b), { timeout: 30_000 }).toEqual(there);
    expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    expect(tails[0]!.ids).toEqual(tails[1]!.ids);
    // A tail that starts later gets the same events, and so does a query about an earlier position.
    const later = follow(node(2), 'followed', start);
    await expect.poll(() => later.ids.length, { timeout: 30_000 }).toBe(there.length);
    expect(later.ids).toEqual(tails[0]!.ids);
    const half = tails[0]!.positions[Math.floor(there.length / 2)]!;
    const upToHalf = tails[0]!.positions.filter((position) => BigInt(position) <= BigInt(half)).length;
    const { tables } = await apl(node(2), 'followed | count', { asOf: half });
    expect(tables[0]?.columns[0]?.[0]).toBe(upToHalf);
    for (const tail of [...tails, later]) tail.end();
  });

  it('give receipts to one another, and count again what came in', async () => {
    const { headers } = await send(node(0), 'seen', '{"id":100}');
    const position = headers.get('x-millrace-position')!;
    const receipt = async (of: string) => (await request(node(1), `/v1/receipts/${of}`)).status;
    expect([await receipt(position), await receipt(String(BigInt(position) + 1_000_000n))]).toEqual([200, 404]);
    const body = JSON.stringify({ apl: 'seen | where id == 100', commit: true });
    expect((await request(node(2), '/v2/datasets/_apl/delete', { body })).body).toMatchObject({ rowsDeleted: 1 });
    const counted = (await request(node(2), '/v1/verify', { method: 'POST' })).body as { readonly events: number };
    expect(counted).toMatchObject({ wrong: [], missing: [], refused: [], aside: [] });
    expect(counted.events).toBeGreaterThan(30);
    // Deletes an event without the nodes.
    const begun = (await request(node(0), '/v1/backup', { method: 'POST' })).body as {
      readonly datasets: readonly { readonly id: number; readonly name: string }[];
    };
    const table = `millrace.d${begun.datasets.find(({ name }) => name === 'followed')!.id}`;
    // Queried first: as a subquery of the deletion it would run for each part, also after the last
    // one was deleted.
    const last = await places.front.server.run(`SELECT max(_seq) FROM ${table}`);
    await places.front.server.run(`DELETE FROM ${table} WHERE _seq = ${last}`);
    const { wrong } = (await request(node(0), '/v1/verify', { method: 'POST' })).body as { readonly wrong: object[] };
    expect(wrong).toHaveLength(1);
  });

  it('are backed up at one moment while all of them take events, and restored', async () => {
    await createDataset(node(0), 'kept');
    const first = upTo(30);
    await Promise.all(first.map((id) => send(node(id), 'kept', JSON.stringify({ id, [`f${id % 4}`]: `x${id}` }))));
    let going = true;
    const later = [0, 1, 2].map(async (n) => {
      for (let id = 1000 * (n + 1); going; id++) {
        await send(node(n), 'kept', JSON.stringify([{ id }, { id: -id }]));
        await pause(50);
      }
    });
    const directory = temporaryDirectory();
    const [backup, target] = [`${directory}/backup`, `${directory}/restored`];
    const { code, err } = await millrace(['backup', backup], { server: node(1) });
    expect([code, err]).toEqual([0, '']);
    going = false;
    await Promise.all(later);
    expect((await millrace(['restore', backup, '--data-dir', target])).code).toBe(0);
    const manifest = JSON.parse(readFileSync(`${backup}/manifest.json`, 'utf8')) as { readonly position: string };
    /** Whether new events get positions after those of the backup. */
    const behind = async (server: ServerProcess): Promise<boolean> => {
      const position = (await send(server, 'kept', '{"id":7777}')).headers.get('x-millrace-position')!;
      expect(await cell(server, 'kept | where id == 7777 | count')).toBe(1);
      return BigInt(position) > BigInt(manifest.position);
    };
    const alone = await startServer(target, { MILLRACE_LOG_LEVEL: 'warn' });
    let there: readonly number[] = [];
    try {
      there = await ids(alone, 'kept');
      expect(first.filter((id) => !there.includes(id))).toEqual([]);
      expect(new Set(there).size).toBe(there.length);
      // Requests are stored completely or not at all.
      const halves = there.filter((id) => Math.abs(id) >= 1000);
      expect(halves.filter((id) => !halves.includes(-id))).toEqual([]);
      expect(await cell(alone, 'kept | where f1 == "x5" | count')).toBe(1);
      expect(await behind(alone)).toBe(true);
    } finally {
      await alone.kill();
    }
    if (!isDeep) return removeDirectory(directory);
    // The same into other databases, and a node over them.
    const [other, databaseUrl] = await Promise.all([openClickHouse(), places.postgres.place()]);
    const clickhouseUrl = `http://127.0.0.1:${other.port}`;
    const { user, password } = clickHouseLogin;
    const into = (progress: () => void = () => undefined): Promise<number> =>
      restoreIntoNodes({
        backup,
        progress,
        settings: defaultSettings({
          dataDir: `${directory}/ready`,
          clickhouseUrl,
          clickhouseUser: user,
          clickhousePassword: password,
          databaseUrl,
        }),
      });
    const cutShort = (): never => {
      throw new Error('cut short');
    };
    await expect(into(cutShort)).rejects.toThrow('cut short');
    await expect(openSharedDatabase(databaseUrl)).rejects.toThrow(/run millrace restore again/);
    // Leftovers of an earlier attempt.
    await other.run('CREATE TABLE millrace.d3 (a UInt8) ENGINE = MergeTree ORDER BY a');
    expect(await into()).toBe(0);
    await expect(into()).rejects.toThrow(/it is in use/);
    const again = await startServer(`${directory}/node`, {
      MILLRACE_NODES: 'shared',
      MILLRACE_CLICKHOUSE_URL: clickhouseUrl,
      MILLRACE_CLICKHOUSE_USER: user,
      MILLRACE_CLICKHOUSE_PASSWORD: password,
      MILLRACE_DATABASE_URL: databaseUrl,
      MILLRACE_LOG_LEVEL: 'warn',
    });
    try {
      expect(await ids(again, 'kept')).toEqual(there);
      expect(await cell(again, 'kept | where f1 == "x5" | count')).toBe(1);
      expect(await behind(again)).toBe(true);
    } finally {
      await again.kill();
      await other.end();
      removeDirectory(directory);
    }
  });

  it('have monitors of events that match', async () => {
    const monitor = { name: 'm', type: 'MatchEvent', aplQuery: 'keyed | where id == 1', notifierIds: [] };
    const { status, body } = await request(node(1), '/v2/monitors', { body: JSON.stringify(monitor) });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('MatchEvent')]);
  });

  it('delete for one another', async () => {
    const body = JSON.stringify({ apl: 'seen | where id >= 6', commit: true });
    expect((await request(node(0), '/v2/datasets/_apl/delete', { body })).body).toMatchObject({ rowsDeleted: 6 });
    expect(await ids(node(1), 'seen')).toEqual(upTo(6));
    expect((await request(node(1), '/v2/datasets/seen', { method: 'DELETE' })).status).toBe(204);
    expect((await send(node(2), 'seen', '{"id":1}')).status).toBe(404);
    await createDataset(node(2), 'seen');
    expect(await ids(node(0), 'seen')).toEqual([]);
  });

  it('lose and double nothing when connections break before and after inserts', async () => {
    await createDataset(node(0), 'cut');
    let inserts = 0;
    places.front.watch = (moment, sql, cut) => {
      if (!sql.startsWith('INSERT')) return;
      if (moment === 'before') inserts += 1;
      if ((inserts % 3 === 1 && moment === 'before') || (inserts % 3 === 2 && moment === 'after')) cut();
    };
    const sent = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const acknowledged: number[] = [];
        for (let id = n * 1000; id < n * 1000 + 5; id++)
          if ((await send(node(n), 'cut', JSON.stringify({ id }))).status === 200) acknowledged.push(id);
        return acknowledged;
      }),
    );
    places.front.watch = () => undefined;
    expect(sent.flat().length).toBeGreaterThan(0);
    const there = await ids(node(1), 'cut');
    expect(new Set(there).size).toBe(there.length);
    expect(sent.flat().filter((id) => !there.includes(id))).toEqual([]);
  });

  it('store events once that a client without a key repeats at another node', async () => {
    await createDataset(node(0), 'repeated');
    await node(0).kill();
    await places.restart(0, { settings: { MILLRACE_ACCEPT_TIMEOUT: '2s' } });
    // ClickHouse stores the insert, and goes away before it responds.
    let isAway = false;
    places.front.watch = (moment, sql, cut) => {
      isAway ||= moment === 'after' && sql.startsWith('INSERT INTO `millrace`.`d');
      if (isAway) cut();
    };
    const events = JSON.stringify([{ id: 1 }, { id: 2 }]);
    const first = await send(node(0), 'repeated', events);
    expect([first.status, JSON.stringify(first.body)]).toEqual([
      503,
      expect.stringContaining('insert not confirmed in time'),
    ]);
    places.front.watch = () => undefined;
    await expect.poll(async () => (await send(node(1), 'repeated', events)).status).toBe(200);
    expect(await ids(node(2), 'repeated')).toEqual([1, 2]);
    // An equal body after that is a new one.
    expect((await send(node(1), 'repeated', events)).status).toBe(200);
    expect(await ids(node(2), 'repeated')).toEqual([1, 1, 2, 2]);
  });

  it('go on when one is killed, comes back with a clock that is wrong, and another is stopped for a while', async () => {
    await createDataset(node(0), 'weather');
    const acknowledged: number[] = [];
    let going = true;
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; going; n++) {
        const id = writer * 100_000 + n;
        const status = await send(node(n), 'weather', JSON.stringify({ id })).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 200) acknowledged.push(id);
        if (status === 200 && n % 5 === 0) expect(await cell(node(1), `weather | where id == ${id} | count`)).toBe(1);
        await pause(50);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10);
    await node(0).kill();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(30);
    await places.restart(0, { settings: anHourAhead });
    // Its events use the common time, and the other nodes see them immediately.
    expect((await send(node(0), 'weather', '{"id":-1}')).status).toBe(200);
    expect(await cell(node(1), 'weather | where _time > ago(10m) and id == -1 | count')).toBe(1);
    expect(JSON.stringify((await request(node(0), '/healthz')).body)).toContain('60 minutes ahead of the clock of');
    node(2).process.kill('SIGSTOP');
    const before = acknowledged.length;
    await pause(1500);
    node(2).process.kill('SIGCONT');
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 10);
    going = false;
    await Promise.all(writers);
    for (const each of places.nodes) {
      const there = await ids(each, 'weather');
      expect(new Set(there).size).toBe(there.length);
      expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    }
  });

  it('have databases that no server alone takes', async () => {
    const dataDir = temporaryDirectory();
    const { MILLRACE_CLICKHOUSE_URL: clickhouseUrl, MILLRACE_DATABASE_URL: databaseUrl } = places.settings;
    const { user: clickhouseUser, password: clickhousePassword } = clickHouseLogin;
    await expect(openMetadataOrFail(dataDir, databaseUrl!, 0)).rejects.toThrow(
      /start this node with MILLRACE_NODES=shared/,
    );
    const settings = defaultSettings({ dataDir, clickhouseUrl, clickhouseUser, clickhousePassword });
    await expect(openEngine(settings, pino({ level: 'silent' }))).rejects.toThrow(/belongs to another data directory/);
    // The attempts have left something that only a server alone has.
    await expect(joinCluster({ ...settings, databaseUrl }, pino({ level: 'silent' }))).rejects.toThrow(
      /has local events or metadata/,
    );
    removeDirectory(dataDir);
  });

  // Last: from then on the database is that of a newer version.
  it.runIf(isDeep)(
    'go on beside one of a newer version while events come, and that one may be taken back',
    async () => {
      await createDataset(node(0), 'rolling');
      const start = await settledAt(node(0), 'rolling');
      const acknowledged: number[] = [];
      let going = true;
      const writers = [0, 1, 2].map(async (writer) => {
        for (let i = 0; going; i++) {
          const id = writer * 100_000 + i;
          const answer = await send(node(writer), 'rolling', JSON.stringify({ id })).catch(() => undefined);
          if (answer?.status === 200) acknowledged.push(id);
          await pause(50);
        }
      });
      const more = async (): Promise<void> => {
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 5);
      };
      await more();
      for (const version of [newerVersion, {}]) {
        expect(await node(0).stop()).toBe(0);
        await places.restart(0, version);
        await more();
      }
      going = false;
      await Promise.all(writers);
      const there = await ids(node(1), 'rolling');
      expect(new Set(there).size).toBe(there.length);
      expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
      const tail = follow(node(2), 'rolling', start);
      await expect.poll(() => tail.ids.toSorted((a, b) => a - b), { timeout: 30_000 }).toEqual(there);
      tail.end();
    },
  );
});
