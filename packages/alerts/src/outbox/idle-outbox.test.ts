import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Metrics } from '@millrace/http/metrics';
import { databaseOver } from '@millrace/metadata/database';
import { metadataOver } from '@millrace/metadata/metadata';
import { inMemory, openSqlite } from '@millrace/metadata/sqlite';
import { sampleMatch } from '../testing/notifications.js';
import { Outbox } from './outbox.js';

/** The outbox of an organization in which nothing happens. */

async function openOutbox({ isShared = false } = {}) {
  let statements = 0;
  let now = 1_790_000_000_000;
  const state = { isAway: false, posts: 0 };
  const writes = { count: 0 };
  const database = databaseOver(openSqlite(inMemory), () => void statements++, writes);
  const metadata = await metadataOver(database, () => now, undefined, isShared ? undefined : { writes });
  const outbox = new Outbox({
    metadata,
    clock: () => now,
    metrics: new Metrics(),
    logger: pino({ level: 'silent' }),
    sender: {
      post: async () => {
        state.posts++;
        return { kind: 'answer', answer: { status: state.isAway ? 503 : 200, headers: {}, text: '' } };
      },
      mail: async () => ({ kind: 'delivered' }),
    },
    signal: new AbortController().signal,
    consoleUrl: undefined,
    opsgenieUrl: 'http://opsgenie.example',
    templateSteps: 1000,
    limits: { perMinute: 100, retries: 3_600_000, closingRetries: 3_600_000, maxAlone: 10, atOnce: 4 },
  });
  const tick = async (times = 1): Promise<number> => {
    const before = statements;
    for (let i = 0; i < times; i++) {
      await outbox.tick();
      await outbox.idle();
    }
    return statements - before;
  };
  const { id: notifierId } = await metadata.notifiers.create({
    name: 'n',
    properties: { webhook: { url: 'http://a.example' } },
    createdAt: '',
    createdBy: '',
    updatedAt: '',
  });
  const add = (id: string) =>
    metadata.database
      .insertInto('notifications')
      .values({
        id,
        monitor_id: 'm',
        notifier_id: notifierId,
        created: now,
        next_try: now,
        tries: 0,
        state: 'waiting',
        problem: '',
        notification: JSON.stringify(sampleMatch({ a: 1 })),
      })
      .execute();
  return { tick, add, state, advance: (milliseconds: number) => void (now += milliseconds), close: metadata.close };
}

test('without writes it reads once; a write makes it read again and send', async () => {
  const { tick, add, state, close } = await openOutbox();
  expect(await tick()).toBe(1);
  expect(await tick(100)).toBe(0);
  await add('one');
  await tick();
  expect(state.posts).toBe(1);
  await tick(2);
  expect(await tick(100)).toBe(0);
  await close();
});

test('a message that waits for its next attempt is found without a write', async () => {
  const { tick, add, state, advance, close } = await openOutbox();
  state.isAway = true;
  await add('one');
  await tick(3);
  expect(state.posts).toBe(1);
  advance(60_000);
  state.isAway = false;
  await tick();
  expect(state.posts).toBe(2);
  await close();
});

test('where other servers may write it reads each time', async () => {
  const { tick, close } = await openOutbox({ isShared: true });
  expect(await tick(5)).toBe(5);
  await close();
});
