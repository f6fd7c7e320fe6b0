import { setTimeout as pause } from 'node:timers/promises';
import type { QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

/**
 * The time limit of a query that asks the engine more than once. The engine is slowed down, so that
 * each statement alone keeps within it.
 */

const limit = 3000;
let world: EngineWorld;
let slow = false;
let asked = 0;

beforeAll(async () => {
  world = await openEngineWorld({ queryTimeout: limit }, (engine) => ({
    query: async (sql: string, options: QueryOptions) => {
      if (slow && options.deadline !== undefined) {
        asked++;
        await pause(0.7 * limit);
      }
      return engine.query(sql, options);
    },
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    health: () => engine.health(),
    onReady: (listener) => engine.onReady(listener),
    close: () => engine.close(),
  }));
  await world.dataset('logs', [{ path: '/a', status: 200 }]);
});
afterAll(() => world.close());

const ask = async (apl: string) => {
  asked = 0;
  slow = true;
  const answer = await world.send<{ message?: string }>('POST', '/v1/datasets/_apl?format=tabular&nocache=true', {
    apl,
  });
  slow = false;
  return { status: answer.status, message: answer.body.message ?? '' };
};

test('holds for all of its statements together, with the message of a single one that is too long', async () => {
  // Sends one statement to find the columns, and another one for their values.
  const { status, message } = await ask('logs | evaluate pivot(status, count(), path)');
  expect([status, asked > 1]).toEqual([408, true]);
  expect(message).toContain('the query ran longer than 3 s and was stopped');
});

test('does not add up for statements that run side by side', async () =>
  expect(await ask('logs | where status == 200 | summarize count() by path')).toMatchObject({ status: 200 }));
