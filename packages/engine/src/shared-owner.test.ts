import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Insert } from './engine.js';
import { openRemote } from './open-remote.js';
import { clickHouseLogin, whyNoClickHouse } from './testing/clickhouse.js';
import { blockOf, errorOf, text } from './testing/engines.js';
import { type HttpFront, openHttpFront } from './testing/http-front.js';

/** Several processes own one database together; tokens prevent duplicate inserts. */

const columns = [
  { name: 'n', type: 'UInt64' },
  { name: 'day', type: 'UInt8' },
];

describe.skipIf((await whyNoClickHouse()) !== undefined)('processes that share a database of a real server', () => {
  let front: HttpFront;
  let engines: readonly Engine[];
  const cluster = randomUUID();
  const open = (id = cluster, shared = true): Promise<Engine> =>
    openRemote({
      ...clickHouseLogin,
      url: front.url,
      database: 'shared',
      owner: { id, known: false, shared },
      watchMilliseconds: 50,
    });
  beforeAll(async () => {
    front = await openHttpFront();
    // Both find it empty.
    engines = await Promise.all([open(), open()]);
    await engines[0]!.execute(
      'CREATE TABLE shared.t (n UInt64, day UInt8) ENGINE = MergeTree PARTITION BY day ORDER BY n SETTINGS non_replicated_deduplication_window = 1000',
    );
  });
  afterAll(async () => {
    await Promise.all(engines.map((each) => each.close()));
    await front.end();
  });
  const rows = (from: number, some: number): Promise<Insert> =>
    blockOf(engines[1]!, `SELECT number + ${from} AS n, toUInt8(number % 3) AS day FROM numbers(${some})`, {
      database: 'shared',
      table: 't',
      columns,
    });
  const count = (): Promise<string> => text(engines[1]!, 'SELECT count(), uniqExact(n) FROM shared.t');

  it('each shard accepts inserts; inserts with one token are stored once in all partitions', async () => {
    const insert = { ...(await rows(0, 30)), token: 'a-1' };
    await engines[0]!.insert(insert);
    await Promise.all(engines.map((each) => each.insert(insert)));
    await engines[1]!.insert({ ...(await rows(100, 30)), token: 'b-1' });
    expect(await count()).toBe('60\t60');
  });

  it('a connection that breaks for one does not end the statements or the claim of the other', async () => {
    const insert = { ...(await rows(1000, 30)), token: 'a-2' };
    let cuts = 0;
    front.watch = (moment, sql, cut) => {
      if (moment === 'after' && sql.startsWith('INSERT') && cuts++ === 0) cut();
    };
    expect(await errorOf(engines[0]!.insert(insert))).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    await engines[1]!.insert({ ...(await rows(2000, 30)), token: 'b-2' });
    await expect.poll(() => engines[0]!.health().state).toBe('ready');
    await engines[0]!.insert(insert);
    expect(await count()).toBe('120\t120');
  });

  it('is held by one process only', async () => {
    await expect(open(randomUUID())).rejects.toMatchObject({ problem: 'of-another' });
    await expect(open(randomUUID(), false)).rejects.toMatchObject({ problem: 'of-another' });
    const alone = randomUUID();
    const first = await openRemote({
      ...clickHouseLogin,
      url: front.url,
      database: 'alone',
      owner: { id: alone, known: false },
    });
    await first.close();
    const joining = openRemote({
      ...clickHouseLogin,
      url: front.url,
      database: 'alone',
      owner: { id: alone, known: true, shared: true },
    });
    await expect(joining).rejects.toMatchObject({ problem: 'of-another' });
  });
});
