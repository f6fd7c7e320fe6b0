import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Metadata } from '../../metadata/metadata.js';
import { openMetadataIn } from '../../metadata/open-metadata.js';
import { asked, sharedPostgres, whyNoPostgres } from '../../testing/postgres.js';
import { Answers } from '../remembered-answers.js';
import { FakeEngine } from '../testing/fake-engine.js';
import { Keys } from './keys.js';
import { NotConfirmed } from './not-confirmed.js';
import { FieldNewsReader } from './field-news.js';
import { FieldStore } from '../fields/field-store.js';

const answer = (fingerprint: string): string => JSON.stringify({ fingerprint, options: 'o', status: {} });
const request = { datasetId: 1, key: 'k', arrival: 5n, rows: 1, answer: answer('a') };

describe.skipIf(whyNoPostgres() !== undefined)('idempotency keys of several processes', () => {
  let url: string;
  let nodes: readonly [Metadata, Metadata];
  const fake = new FakeEngine();
  const engine = fake.open();
  let next = 0n;
  const keysOf = ({ database }: Metadata, patience = 2000): Keys =>
    new Keys({ engine, database, answers: new Answers(database, 60_000), patience });
  beforeAll(async () => {
    url = await (await sharedPostgres()).place();
    nodes = [await openMetadataIn({ url }), await openMetadataIn({ url })];
    fake.tables.set('d1', []);
  });
  afterAll(() => Promise.all(nodes.map((each) => each.close())));
  const reserve = (): bigint => ++next;

  test('are stored by one, and the others hear when it is done', async () => {
    let stored = 0;
    const all = await Promise.all(
      [0, 1, 0, 1].map((n) =>
        keysOf(nodes[n]!).once(request, reserve, async () => {
          stored++;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }),
      ),
    );
    expect(stored).toBe(1);
    expect(new Set(all.map(({ position }) => position)).size).toBe(1);
    expect(all.filter(({ repeated }) => repeated === true)).toHaveLength(3);
    expect(await keysOf(nodes[1]).answer(1, 'k')).toMatchObject({ answer: request.answer });
    const reused = keysOf(nodes[1]).once({ ...request, answer: answer('b') }, reserve, async () => undefined);
    await expect(reused).rejects.toMatchObject({ code: 'key-reused' });
  });

  test('of one that died are taken over with the same position, time and token', async () => {
    const died = { ...request, key: 'died' };
    const never = keysOf(nodes[0]).once(died, reserve, () => new Promise(() => undefined));
    void never;
    await expect.poll(async () => (await asked(url, "SELECT 1 FROM pending_keys WHERE key = 'died'")).length).toBe(1);
    // It may still be at work.
    await asked(url, "UPDATE pending_keys SET taken = now() + interval '1 hour'");
    await expect(keysOf(nodes[1], 60).once(died, reserve, async () => expect.unreachable())).rejects.toThrow(
      NotConfirmed,
    );
    await asked(url, "UPDATE pending_keys SET taken = now() - interval '1 minute'");
    const position = next;
    const taken: unknown[] = [];
    const over = await keysOf(nodes[1]).once(
      { ...died, arrival: 9n },
      reserve,
      async (...given) => void taken.push(given),
    );
    expect([over, taken]).toEqual([{ position }, [[position, 5n, `key-${position}`]]]);
  });

  test('whose events are there already are not stored again, however long ago that was', async () => {
    const late = { ...request, key: 'late' };
    void keysOf(nodes[0]).once(late, reserve, () => new Promise(() => undefined));
    await expect.poll(async () => (await asked(url, "SELECT 1 FROM pending_keys WHERE key = 'late'")).length).toBe(1);
    fake.tables.set('d1', [{ seq: next, row: 0, time: 0n }]);
    await asked(url, "UPDATE pending_keys SET taken = now() - interval '1 minute'");
    expect(await keysOf(nodes[1]).once(late, reserve, async () => expect.unreachable())).toEqual({ position: next });
  });

  test('are free for the next attempt when the events were refused', async () => {
    const bad = { ...request, key: 'bad' };
    const refuse = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(keysOf(nodes[0]).once(bad, reserve, refuse)).rejects.toThrow('no');
    await keysOf(nodes[1]).once(bad, reserve, async () => undefined);
  });

  test('names of fields that one learns the other reads, each once, even if it was away for long', async () => {
    const store = new FieldStore(nodes[0].database);
    const reader = new FieldNewsReader(nodes[1].database);
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
    await asked(url, 'INSERT INTO field_news_pruned SELECT 1, max(n) + 1 FROM field_news');
    await store.add(2, [{ field: 'c', type: 'float', where: 'column' }]);
    expect(await reader.next()).toBeUndefined();
  });
});
