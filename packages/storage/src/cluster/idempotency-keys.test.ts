import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '@millrace/metadata/postgres/open-postgres';
import { queryPostgres, sharedPostgres, whyNoPostgres } from '@millrace/metadata/testing/postgres';
import { IdempotencyStore } from '../idempotency-store.js';
import { FakeEngine } from '../testing/fake-engine.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { PositionFencedError, NotConfirmed } from './not-confirmed.js';
import { SchemaChangeFeed } from './schema-changes.js';
import { FieldStore } from '../fields/field-store.js';

const answer = (fingerprint: string): string => JSON.stringify({ fingerprint, options: 'o', status: {} });
const request = { datasetId: 1, key: 'k', arrival: 5n, rows: 1, answer: answer('a') };

describe.skipIf(whyNoPostgres() !== undefined)('idempotency keys of several processes', () => {
  let url: string;
  let nodes: readonly [Postgres, Postgres];
  const fake = new FakeEngine();
  const engine = fake.open();
  const last = async (): Promise<bigint> => {
    const [row] = await queryPostgres(url, 'SELECT CAST(last AS TEXT) AS last FROM arrival_order');
    return BigInt(String(row?.['last']));
  };
  const keysOf = ({ database, arrivals }: Postgres, patience = 2000): IdempotencyKeys =>
    new IdempotencyKeys({
      engine,
      database,
      arrivals: arrivals(1n),
      idempotencyStore: new IdempotencyStore(database, { idempotencyWindow: 60_000, idempotencyKeys: 1000 }),
      patience,
    });
  beforeAll(async () => {
    url = await (await sharedPostgres()).place();
    nodes = [await openPostgres(url), await openPostgres(url)];
    fake.tables.set('d1', []);
  });
  afterAll(() => Promise.all(nodes.map((each) => each.shared.close())));

  test('are stored by one, and the others hear when it is done', async () => {
    let stored = 0;
    const all = await Promise.all(
      [0, 1, 0, 1].map((n) =>
        keysOf(nodes[n]!).storeOnce(request, async () => {
          stored++;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }),
      ),
    );
    expect(stored).toBe(1);
    expect(new Set(all.map(({ position }) => position)).size).toBe(1);
    expect(all.filter(({ repeated }) => repeated === true)).toHaveLength(3);
    expect(await keysOf(nodes[1]).answer(1, 'k')).toMatchObject({ answer: request.answer });
    const reused = keysOf(nodes[1]).storeOnce({ ...request, answer: answer('b') }, async () => undefined);
    await expect(reused).rejects.toMatchObject({ code: 'key-reused' });
  });

  test('of one that died are taken over with the same position, time and token', async () => {
    const died = { ...request, key: 'died' };
    const never = keysOf(nodes[0]).storeOnce(died, () => new Promise(() => undefined));
    void never;
    await expect
      .poll(async () => (await queryPostgres(url, "SELECT 1 FROM pending_keys WHERE key = 'died'")).length)
      .toBe(1);
    // Its process may still be working on it.
    await queryPostgres(url, "UPDATE pending_keys SET taken = now() + interval '1 hour'");
    await expect(keysOf(nodes[1], 60).storeOnce(died, async () => expect.unreachable())).rejects.toThrow(NotConfirmed);
    await queryPostgres(url, "UPDATE pending_keys SET taken = now() - interval '1 minute'");
    const position = await last();
    const taken: unknown[] = [];
    const over = await keysOf(nodes[1]).storeOnce({ ...died, arrival: 9n }, async (...given) => void taken.push(given));
    expect([over, taken]).toEqual([{ position }, [[5n, { position, token: `key-${position}-5`, repeated: true }]]]);
  });

  test('whose events are there already are not stored again, however long ago that was', async () => {
    const late = { ...request, key: 'late' };
    void keysOf(nodes[0]).storeOnce(late, () => new Promise(() => undefined));
    await expect
      .poll(async () => (await queryPostgres(url, "SELECT 1 FROM pending_keys WHERE key = 'late'")).length)
      .toBe(1);
    const position = await last();
    fake.tables.set('d1', [{ seq: position, row: 0, time: 0n }]);
    await queryPostgres(url, "UPDATE pending_keys SET taken = now() - interval '1 minute'");
    expect(await keysOf(nodes[1]).storeOnce(late, async () => expect.unreachable())).toEqual({ position });
  });

  test('replaces an abandoned position with a new one, without its contents', async () => {
    const moved = { ...request, key: 'moved', rows: 2 };
    void keysOf(nodes[0]).storeOnce(moved, () => new Promise(() => undefined));
    await expect
      .poll(async () => (await queryPostgres(url, "SELECT 1 FROM pending_keys WHERE key = 'moved'")).length)
      .toBe(1);
    const before = await last();
    fake.tables.set('d1', [{ seq: before, row: 0, time: 0n }]);
    await queryPostgres(url, "UPDATE pending_keys SET taken = now() - interval '1 minute'");
    await queryPostgres(url, `DELETE FROM arrivals WHERE first = ${before}`);
    const taken: unknown[] = [];
    const position = before + 1n;
    expect(await keysOf(nodes[1]).storeOnce(moved, async (...given) => void taken.push(given))).toEqual({ position });
    expect(taken).toEqual([[5n, { position, token: `key-${position}-5`, repeated: false }]]);
    expect(fake.rows(1)).toEqual([]);
    expect(await queryPostgres(url, `SELECT 1 FROM arrivals WHERE done IS NULL AND first >= ${before}`)).toEqual([]);
  });

  test('that are given up in the middle go on at another place', async () => {
    const places: bigint[] = [];
    const over = await keysOf(nodes[0]).storeOnce({ ...request, key: 'middle' }, async (_, { position }) => {
      places.push(position);
      if (places.length < 3) throw new PositionFencedError();
    });
    expect([over.position, new Set(places).size]).toEqual([places[2], 3]);
    // Readers of the ingest order wait for none of them.
    expect(await queryPostgres(url, `SELECT 1 FROM arrivals WHERE done IS NULL AND first >= ${places[0]!}`)).toEqual(
      [],
    );
  });

  test('are free for the next attempt when the events were refused', async () => {
    const bad = { ...request, key: 'bad' };
    const refuse = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(keysOf(nodes[0]).storeOnce(bad, refuse)).rejects.toThrow('no');
    await keysOf(nodes[1]).storeOnce(bad, async () => undefined);
  });

  test('are stored while another change holds the lock of all metadata', async () => {
    await nodes[1].database
      .transaction()
      .execute(() =>
        Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            keysOf(nodes[0]).storeOnce({ ...request, key: `free ${n}` }, async () => undefined),
          ),
        ),
      );
    expect(await keysOf(nodes[1]).answer(1, 'free 7')).toMatchObject({ answer: request.answer });
  });

  test('names of fields that one learns the other reads, each once, even if it was away for long', async () => {
    const store = new FieldStore(nodes[0].database);
    const reader = new SchemaChangeFeed(nodes[1].database);
    await store.add(1, [{ field: 'before', type: 'string', where: 'column' }]);
    await reader.begin();
    const field = { field: 'nul\0', type: 'integer', where: 'overflow' } as const;
    await store.add(1, [field, { field: 'before', type: 'string', where: 'column' }]);
    await store.add(2, [{ field: 'b', type: 'float', where: 'column' }]);
    expect(await reader.next()).toEqual(
      new Map([
        [1, [field]],
        [2, [{ field: 'b', type: 'float', where: 'column' }]],
      ]),
    );
    expect(await reader.next()).toEqual(new Map());
    await queryPostgres(url, 'INSERT INTO field_news_pruned SELECT 1, max(n) + 1 FROM field_news');
    await store.add(2, [{ field: 'c', type: 'float', where: 'column' }]);
    expect(await reader.next()).toBeUndefined();
  });
});
