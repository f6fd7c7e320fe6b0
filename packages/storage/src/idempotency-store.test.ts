import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { retentionClock } from '@millrace/metadata/retention-clock';
import type { Metadata } from '@millrace/metadata/metadata';
import { IdempotencyStore } from './idempotency-store.js';
import { describeEachStore } from '@millrace/metadata/testing/metadata-stores';

describeEachStore((store) => {
  const hour = 3_600_000;
  let metadata: Metadata;
  beforeEach(async () => void (metadata = await store.open()));
  afterEach(() => metadata.close());

  test('answers are forgotten when their time is over, and not by a leap of the clock', async () => {
    let ahead = 0;
    const answers = new IdempotencyStore(
      metadata.database,
      { idempotencyWindow: hour, idempotencyKeys: 1000 },
      retentionClock(
        () => Date.now() + ahead,
        () => undefined,
      ),
    );
    const isFound = async (): Promise<boolean> => (await answers.find(1, 'k')) !== undefined;
    await answers.keep(1, [{ position: 1n, idempotency: { key: 'k', answer: '{}' } }]);
    ahead = Date.UTC(2099, 0) - Date.now();
    expect(await isFound()).toBe(true);
    await answers.expire();
    ahead = 0;
    expect(await isFound()).toBe(true);
    for (const half of [1, 2]) {
      ahead = (half * hour) / 2 + 1;
      expect(await isFound()).toBe(half === 1);
    }
    await answers.expire();
    ahead = 0;
    expect(await isFound()).toBe(false);
  });

  test('a dataset has a limited number of keys, the newest', async () => {
    const limits = { idempotencyWindow: hour, idempotencyKeys: 3 };
    const keep = (answers: IdempotencyStore, dataset: number, keys: readonly string[]): Promise<void> =>
      answers.keep(
        dataset,
        keys.map((key) => ({ position: 1n, idempotency: { key, answer: '{}' } })),
      );
    const keys = async (): Promise<readonly string[]> =>
      (await metadata.database.selectFrom('answers').select(['dataset_id', 'key']).execute())
        .map(({ dataset_id, key }) => `${dataset_id} ${key}`)
        .toSorted();
    const answers = new IdempotencyStore(metadata.database, limits);
    await keep(answers, 2, ['other']);
    await keep(answers, 1, ['a', 'b']);
    await metadata.database
      .updateTable('answers')
      .set({ expires: sql`expires - 1` })
      .execute();
    await keep(answers, 1, ['c']);
    expect(await keys()).toEqual(['1 a', '1 b', '1 c', '2 other']);
    await keep(answers, 1, ['d', 'e']);
    expect(await keys()).toEqual(['1 c', '1 d', '1 e', '2 other']);
    // A new store counts the present keys.
    await keep(new IdempotencyStore(metadata.database, { ...limits, idempotencyKeys: 1 }), 2, ['f']);
    expect((await keys()).filter((key) => key.startsWith('2'))).toHaveLength(1);
  });
});
