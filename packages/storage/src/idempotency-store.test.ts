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
      hour,
      retentionClock(
        () => Date.now() + ahead,
        () => undefined,
      ),
    );
    const found = async (): Promise<boolean> => (await answers.find(1, 'k')) !== undefined;
    await answers.keep(1, [{ position: 1n, idempotency: { key: 'k', answer: '{}' } }]);
    ahead = Date.UTC(2099, 0) - Date.now();
    expect(await found()).toBe(true);
    await answers.expire();
    ahead = 0;
    expect(await found()).toBe(true);
    for (const half of [1, 2]) {
      ahead = (half * hour) / 2 + 1;
      expect(await found()).toBe(half === 1);
    }
    await answers.expire();
    ahead = 0;
    expect(await found()).toBe(false);
  });
});
