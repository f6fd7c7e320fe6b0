import { EngineError } from '@millrace/engine';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Watermark } from '@millrace/metadata/postgres/watermark';
import { FakeEngine } from '../testing/fake-engine.js';
import { prepareTables } from './prepare-tables.js';

/** A start whose statements fail, in the order given by the test. */
function start(failures: readonly EngineError[], patience?: number) {
  const fake = new FakeEngine();
  const left = [...failures];
  const open = fake.open();
  const executed: string[] = [];
  const engine: typeof open = {
    ...open,
    execute: async (sql, options) => {
      executed.push(sql);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return open.execute(sql, options);
    },
  };
  const made = prepareTables({
    engine,
    arrivals: { watermark: new Watermark(), goOnAbove: async () => false },
    logger: pino({ level: 'silent' }),
    datasets: () => [1],
    highestId: 1,
    lookForNews: async () => undefined,
    ...(patience !== undefined && { patience }),
  });
  return { made, executed };
}

const movedError = new EngineError(
  'unavailable',
  'Code: 60. DB::Exception: Table millrace.fence does not exist',
  'unknown',
);

test('a start waits for a home that changes while it makes tables', async () => {
  const { made, executed } = start([movedError]);
  await made;
  expect(executed.at(-1)).toContain('`d1`');
});

test('does not wait forever, nor for impossible events', async () => {
  await expect(start([movedError], -1).made).rejects.toBe(movedError);
  const refused = new EngineError('rejected', 'Code: 497. DB::Exception: Not enough privileges', 'refused');
  await expect(start([refused]).made).rejects.toBe(refused);
});
