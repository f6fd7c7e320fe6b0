import { setTimeout as pause } from 'node:timers/promises';
import type { QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * The time limit of a query with several statements. The engine is slowed down, so that each
 * statement alone stays within the limit.
 */

const limit = 3000;
let world: EngineTestServer;
let slow = false;
let storePromise: Promise<void> | undefined;
let attempts = 0;

beforeAll(async () => {
  world = await openEngineTestServer({ queryTimeout: limit, queryWaitTimeout: 2000 }, (engine) => ({
    query: async (sql: string, options: QueryOptions) => {
      if (slow && options.deadline !== undefined) {
        attempts++;
        await pause(0.7 * limit);
      }
      return engine.query(sql, options);
    },
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: async (...given) => {
      await storePromise;
      return engine.insert(...given);
    },
    health: () => engine.health(),
    onReady: (listener) => engine.onReady(listener),
    close: () => engine.close(),
  }));
  await world.dataset('logs', [{ path: '/a', status: 200 }]);
  await waitForFlush();
});
afterAll(() => world.close());

/** On a busy machine an insert takes longer than a query may wait. */
const waitForFlush = async (): Promise<void> => {
  while ((await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl: 'logs | count' })).status === 503);
};

const ask = async (apl: string) => {
  attempts = 0;
  slow = true;
  const answer = await world.send<{ message?: string }>('POST', '/v1/datasets/_apl?format=tabular&nocache=true', {
    apl,
  });
  slow = false;
  const timing = String(answer.headers.get('server-timing'));
  return { status: answer.status, message: answer.body.message ?? '', timing };
};

test('holds for all of its statements together, with the message of a single one that is too long', async () => {
  // Sends one statement to find the columns, and another one for their values.
  const { status, message } = await ask('logs | evaluate pivot(status, count(), path)');
  expect([status, attempts > 1]).toEqual([408, true]);
  expect(message).toContain('query timed out after 3 s');
});

test('is shown apart from waiting and compiling', async () => {
  const { timing } = await ask('logs | count');
  expect(timing).toMatch(/^waiting;dur=[\d.]+, compiling;dur=[\d.]+, running;dur=2\d{3}/);
});

test('does not include waiting, which has its own limit', async () => {
  let store = (): void => undefined;
  storePromise = new Promise((resolve) => (store = resolve));
  await world.ingest('logs', [{ path: '/b', status: 200 }]);
  const { status, message, timing } = await ask('logs | count');
  store();
  await waitForFlush();
  expect([status, message.includes('the query waited longer than 2 s')]).toEqual([503, true]);
  expect(timing).toMatch(/^waiting;dur=[12]\d{3}.*running;dur=0$/);
});

test('does not add up for statements that run side by side', async () =>
  expect(await ask('logs | where status == 200 | summarize count() by path')).toMatchObject({ status: 200 }));
