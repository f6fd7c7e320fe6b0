import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ClickHouse,
  clickHouseLogin,
  openClickHouse,
  whyNoClickHouse,
} from '../packages/engine/src/testing/clickhouse.ts';
import { defaultSettings } from '@millrace/http/settings/settings';
import { openEngine } from '@millrace/server/startup/open-engine';
import { openPostgresServer, type PostgresServer, whyNoPostgres } from '@millrace/metadata/testing/postgres';
import { apl, cell, createDataset, send } from './support/apl.ts';
import { documentedGrants } from './support/clickhouse-rights.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';
import { isDeep } from './support/depth.js';

/** Two shards, each a real ClickHouse server: first under a server alone, then under two nodes. */

const absent = (await whyNoClickHouse()) !== undefined || whyNoPostgres() !== undefined;
// Timeouts only for hangs.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let servers: readonly [ClickHouse, ClickHouse];
const directories = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
const urlOf = ({ port }: ClickHouse): string => `http://127.0.0.1:${port}`;
const settings = (...shards: readonly ClickHouse[]): Readonly<Record<string, string>> => ({
  MILLRACE_CLICKHOUSE_URL: shards.map(urlOf).join('; '),
  MILLRACE_CLICKHOUSE_USER: clickHouseLogin.user,
  MILLRACE_CLICKHOUSE_PASSWORD: clickHouseLogin.password,
  MILLRACE_LOG_LEVEL: 'warn',
});
/** The tables of datasets on each. */
const tables = () =>
  Promise.all(
    servers.map(async (server) => {
      const names = await server.run("SELECT name FROM system.tables WHERE database = 'millrace' AND name LIKE 'd%'");
      return names.split('\n').filter((name) => name !== '');
    }),
  );
const ids = async (server: ServerProcess, query: string): Promise<readonly unknown[]> =>
  ((await apl(server, `${query} | project id | limit 1000`)).tables[0]?.columns[0] ?? []).toSorted(
    (a, b) => Number(a) - Number(b),
  );
interface Answer {
  readonly tables: readonly { readonly columns: readonly (readonly unknown[])[] }[];
  readonly status: { readonly rowsMatched: number; readonly rowsExamined: number };
}
const post = (server: ServerProcess, path: string, body: object) =>
  request(server, path, { body: JSON.stringify(body) });
const reasonsOf = async (server: ServerProcess): Promise<string> =>
  JSON.stringify((await request(server, '/healthz')).body);

describe.skipIf(absent)('two shards', () => {
  beforeAll(async () => {
    const open = () => openClickHouse({ grants: documentedGrants });
    servers = await Promise.all([open(), open()]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()));
    directories.forEach(removeDirectory);
  });

  describe('under a server alone', () => {
    let server: ServerProcess;
    const start = (...shards: readonly ClickHouse[]) => startServer(directories[0]!, settings(...shards));
    afterAll(() => server?.kill());

    it('a server that began with one has its datasets there, and makes new ones on the second', async () => {
      server = await start(servers[0]);
      for (const name of ['before', 'older']) await createDataset(server, name);
      await send(server, 'before', '[{"id":1},{"id":2}]');
      expect(await cell(server, 'before | count')).toBe(2);
      expect(await server.stop()).toBe(0);
      server = await start(...servers);
      for (const name of ['new', 'newer']) {
        await createDataset(server, name);
        expect((await send(server, name, '[{"id":3,"odd":true},{"id":4},{"id":5,"odd":true}]')).status).toBe(200);
        expect(await ids(server, name)).toEqual([3, 4, 5]);
      }
      expect((await tables()).map((names) => names.length)).toEqual([3, 2]);
      expect((await request(server, '/v1/shards')).body).toEqual([
        { shard: 1, ready: true, datasets: ['before', 'millrace-audit', 'older'] },
        { shard: 2, ready: true, datasets: ['new', 'newer'] },
      ]);
    });

    /** Queries over datasets of two shards, each with the same one where both copies are on one. */
    const queries: readonly (readonly [apart: string, together: string])[] = [
      'union A, B | sort by id asc, from asc | project id, odd, from',
      'union A, B | where odd | count',
      'union A, B | summarize n = count(), sum(id), make_list(id) by odd | sort by n asc | project n, sum_id',
      'union withsource=of A, B | summarize dcount(of), count()',
      'union (A | summarize top = max(id)), (B | summarize top = max(id)) | sort by top asc',
      'union A, B | summarize count() by bin(_time, 1h) | project count_',
      'A | join kind=inner (B | project id, twin = from) on id | sort by id asc, from asc, twin asc | project id, from, twin',
      'A | join kind=leftouter (B | project id, twin = from) on id | sort by id asc, from asc, twin asc | project id, from, twin',
      'A | join kind=fullouter (B | project other = id, twin = from) on $left.id == $right.other | sort by id asc, other asc | project id, other',
      'A | join kind=leftanti (B | project id) on id | sort by id asc | project id',
      'A | lookup (B | where odd | summarize n = count() by id) on id | sort by id asc | project id, n',
      'A | where id in ((B | where odd | project id)) | sort by id asc | project id',
      'A | where id > toscalar(B | summarize min(id)) | sort by id asc | project id',
      'A | where id in ((B | where id in ((A | project id)) | project id)) | count',
      'let few = B | where odd; union A, few | where id in ((A | project id)) | sort by id asc, from asc | project id, from',
      'union A, B | take 1 | count',
      'union A, B | top 3 by id desc | project id, from',
      'union A, B | where id == 99',
      'A | join (B | where id == 99 | project id, x = id) on id | project id, x',
    ].map((query) => {
      const named = (a: string, b: string): string => query.replaceAll(/\bA\b/g, a).replaceAll(/\bB\b/g, b);
      return [named('before', 'new'), named('before', 'twin')];
    });

    it('unions, joins and nested queries over both shards have the result of one', async () => {
      expect((await post(server, '/v2/datasets?shard=1', { name: 'twin' })).status).toBeLessThan(300);
      const rows = (from: string, ids: readonly number[]): string =>
        JSON.stringify(ids.map((id) => ({ id, from, odd: id % 2 === 1 })));
      await send(server, 'before', rows('a', [3, 4, 7]));
      for (const name of ['new', 'twin']) await send(server, name, rows('b', [2, 3, 7, 8]));
      await send(server, 'twin', '[{"id":3,"odd":true},{"id":4},{"id":5,"odd":true}]');
      for (const [apart, together] of queries) {
        const one = (await apl(server, apart)) as unknown as Answer;
        const expected = (await apl(server, together)) as unknown as Answer;
        expect([apart, one.tables[0]!.columns]).toEqual([apart, expected.tables[0]!.columns]);
        const { rowsMatched, rowsExamined } = expected.status;
        expect([apart, one.status]).toMatchObject([apart, { rowsMatched, rowsExamined }]);
      }
      const exported = await fetch(
        `${server.url}/v1/export?apl=${encodeURIComponent('union before, new | sort by id asc, from asc | project id')}`,
        { headers: { authorization: `Bearer ${server.token}` } },
      );
      expect((await exported.text()).split('\n').length).toBeGreaterThan(9);
      expect((await request(server, '/v2/datasets/twin', { method: 'DELETE' })).status).toBeLessThan(300);
      for (const name of ['before', 'new'])
        await post(server, '/v2/datasets/_apl/delete', { apl: `${name} | where isnotempty(from)`, commit: true });
    });

    it('deletions and estimates read one shard, and say so', async () => {
      const deletion = { apl: 'before | where id in ((new | project id))', commit: true };
      for (const [path, body] of [
        ['/v2/datasets/_apl/delete', deletion],
        ['/v1/query/estimate', { apl: 'union before, new | count' }],
      ] as const) {
        const answer = await post(server, path, body);
        expect([path, answer.status, answer.body]).toMatchObject([
          path,
          422,
          { message: expect.stringContaining("datasets 'before' (shard 1) and 'new' (shard 2) are apart") },
        ]);
      }
      expect(await cell(server, 'union new, newer | count')).toBe(6);
      expect(await cell(server, "before | where id == 1 and '`millrace`.`d4`' != '' | count")).toBe(1);
    });

    it('deletions, exports and recounts go to the shard of their dataset', async () => {
      expect(
        (await post(server, '/v2/datasets/_apl/delete', { apl: 'new | where odd', commit: true })).body,
      ).toMatchObject({ rowsDeleted: 2 });
      const exported = await fetch(`${server.url}/v1/export?apl=${encodeURIComponent('new | project id')}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      expect(await exported.text()).toBe('{"id":4}\n');
      expect((await request(server, '/v1/verify', { method: 'POST' })).body).toMatchObject({ wrong: [], missing: [] });
      expect((await request(server, '/v2/datasets/newer', { method: 'DELETE' })).status).toBeLessThan(300);
      expect((await tables()).map((names) => names.length)).toEqual([3, 1]);
    });

    it('a dataset moves by an export and an ingest, as documented: fields and times are the same', async () => {
      const events = async (name: string): Promise<unknown> =>
        ((await apl(server, `${name} | project _time, id, odd`)) as unknown as Answer).tables[0]!.columns;
      const url = `${server.url}/v1/export?apl=${encodeURIComponent('before | sort by _time asc')}`;
      const exported = await fetch(url, { headers: { authorization: `Bearer ${server.token}` } });
      expect((await post(server, '/v2/datasets?shard=2', { name: 'moved' })).status).toBeLessThan(300);
      const body = await exported.text();
      const ingested = await send(server, 'moved', body, { 'content-type': 'application/x-ndjson' });
      expect(ingested.body).toMatchObject({ ingested: 2, failed: 0 });
      expect(await events('moved | sort by _time asc, id asc')).toEqual(
        await events('before | sort by _time asc, id asc'),
      );
      expect((await request(server, '/v1/shards')).body).toMatchObject([{}, { shard: 2, datasets: ['moved', 'new'] }]);
      expect((await request(server, '/v2/datasets/moved', { method: 'DELETE' })).status).toBeLessThan(300);
    });

    it('while one is away the datasets of the other go on, and what comes for it waits in the log', async () => {
      await servers[1].kill();
      await expect.poll(() => reasonsOf(server), { timeout: 60_000 }).toContain('shard 2 is down');
      expect((await send(server, 'new', '{"id":6}')).status).toBe(200);
      await send(server, 'before', '{"id":7}');
      expect(await ids(server, 'before')).toEqual([1, 2, 7]);
      expect((await post(server, '/v1/datasets/_apl?format=tabular', { apl: 'new | count' })).status).toBe(503);
      await createDataset(server, 'meanwhile');
      expect(
        await servers[0].run("SELECT count() FROM system.tables WHERE database = 'millrace' AND name LIKE 'd%'"),
      ).toBe('4');
      await servers[1].start();
      await expect.poll(async () => (await request(server, '/healthz')).status, { timeout: 60_000 }).toBe(200);
      expect(await ids(server, 'new')).toEqual([4, 6]);
    });

    it('a start refuses other shards, fewer of them, and another order', async () => {
      expect(await server.stop()).toBe(0);
      const open = (...shards: readonly ClickHouse[]) => {
        const { user, password } = clickHouseLogin;
        const clickhouse = { clickhouseUrl: shards.map(urlOf).join(';'), clickhouseUser: user };
        const given = defaultSettings({ dataDir: directories[0]!, ...clickhouse, clickhousePassword: password });
        return openEngine(given, pino({ level: 'silent' }));
      };
      await expect(open(servers[1], servers[0])).rejects.toThrow(
        /has shard [12] of these events; name the addresses of the shards in the order/,
      );
      await expect(open(servers[1])).rejects.toThrow('has shard 2 of these events');
      await expect(start(servers[0])).rejects.toThrow("dataset 'new' is on shard 2, and one shard is named");
      server = await start(...servers);
      expect(await ids(server, 'new')).toEqual([4, 6]);
      expect(await server.stop()).toBe(0);
    });
  });

  // The routing to shards is the same as under a server alone.
  describe.runIf(isDeep)('under two nodes', () => {
    let postgres: PostgresServer;
    let one: ServerProcess;
    let other: ServerProcess;
    let start: (directory: string, ...shards: readonly ClickHouse[]) => Promise<ServerProcess>;
    beforeAll(async () => {
      await Promise.all(servers.map((server) => server.run('DROP DATABASE IF EXISTS millrace SYNC')));
      postgres = await openPostgresServer();
      const shared = {
        MILLRACE_NODES: 'shared',
        MILLRACE_DATABASE_URL: await postgres.place(),
        // However slow the machine is, an insert is over by then.
        MILLRACE_ACCEPT_TIMEOUT: '60s',
      };
      start = (directory, ...shards) => startServer(directory, { ...settings(...shards), ...shared });
      one = await start(directories[1]!, servers[0]);
      other = await start(directories[2]!, ...servers);
    });
    afterAll(async () => {
      await Promise.all([one?.kill(), other?.kill()]);
      await postgres?.end();
    });

    it('a node learns an unknown shard from the other, and both keep running', async () => {
      await createDataset(one, 'old');
      expect((await send(other, 'old', '{"id":1}')).status).toBe(200);
      const shardsOf = async (server: ServerProcess) =>
        ((await request(server, '/v1/shards')).body as readonly unknown[]).length;
      await expect.poll(() => shardsOf(one), { timeout: 60_000 }).toBe(2);
      expect(await ids(one, 'old')).toEqual([1]);
      // The second shard has nothing yet.
      const create = async () => (await post(other, '/v2/datasets?shard=2', { name: 'a' })).status;
      await expect.poll(create, { timeout: 60_000 }).toBeLessThan(300);
      expect((await send(one, 'a', '{"id":2}')).status).toBe(200);
      expect(await ids(other, 'a')).toEqual([2]);
      // With its old setting too.
      expect(await one.stop()).toBe(0);
      one = await start(directories[1]!, servers[0]);
      expect(await ids(one, 'a')).toEqual([2]);
    });

    it('each finds the datasets that the other has made, wherever they are', async () => {
      for (const name of ['b', 'c']) {
        await createDataset(one, name);
        expect((await send(other, name, `{"id":4,"${name}":true}`)).status).toBe(200);
        expect(await ids(one, `${name} | where ${name}`)).toEqual([4]);
      }
      expect((await request(other, '/v1/shards')).body).toEqual([
        { shard: 1, ready: true, datasets: ['c', 'millrace-audit', 'old'] },
        { shard: 2, ready: true, datasets: ['a', 'b'] },
      ]);
      expect((await tables()).map((names) => names.length)).toEqual([3, 2]);
      expect((await request(other, '/v1/verify', { method: 'POST' })).body).toMatchObject({ wrong: [] });
    });

    it('while one shard is away nothing is taken for it, and the others go on, without waiting', async () => {
      await servers[1].kill();
      for (const node of [one, other])
        await expect.poll(() => reasonsOf(node), { timeout: 60_000 }).toContain('shard 2 is down');
      expect((await request(one, '/healthz')).status).toBe(200);
      expect((await send(one, 'a', '{"id":8}')).status).toBe(503);
      expect((await send(one, 'old', '{"id":9}')).status).toBe(200);
      expect(await ids(other, 'old')).toEqual([1, 9]);
      await servers[1].start();
      for (const node of [one, other])
        await expect.poll(() => reasonsOf(node), { timeout: 60_000 }).not.toContain('shard 2');
      expect((await send(one, 'a', '{"id":10}')).status).toBe(200);
      expect(await ids(other, 'a')).toEqual([2, 10]);
    });
  });
});
