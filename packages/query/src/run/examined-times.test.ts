import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/** `minBlockTime` and `maxBlockTime` of parts with deleted rows, whose times must be read. */

const second = 1000;
const day = 86_400 * second;
const first = Date.UTC(2026, 4, 1);
const [oldest, newest] = [first - day, first + 50 * day];

let world: EngineTestServer;
beforeAll(async () => {
  let taken: Engine | undefined;
  world = await openEngineTestServer(
    { resultCacheBytes: 0, queryMaxRowsRead: 1_000_000 },
    (engine) => (taken = engine),
  );
  await world.dataset('many', [{ _time: new Date(oldest) }, { _time: new Date(newest) }]);
  await taken!.execute(
    'INSERT INTO millrace.d2 (_time, _sysTime, _seq, _row) ' +
      `SELECT fromUnixTimestamp64Milli(toInt64(${first} + number * 1000), 'UTC') AS time, time, 0, number FROM numbers(3000000)`,
  );
  await taken!.execute('DELETE FROM millrace.d2 WHERE _seq = 0 AND _row % 1000 = 999');
});
afterAll(() => world.close());

async function examinedRange(startTime: number, endTime: number): Promise<readonly (string | number)[]> {
  const body = { startTime: new Date(startTime), endTime: new Date(endTime) };
  const { status } = await world.apl<Tabular>('many | count', body);
  const { rowsExamined, minBlockTime, maxBlockTime } = status as unknown as Record<string, string | number>;
  return [rowsExamined!, Date.parse(String(minBlockTime)), Date.parse(String(maxBlockTime))];
}

it('does not read outside the range', async () => {
  expect(await examinedRange(first + second, first + 9 * second)).toEqual([9, first + second, first + 9 * second]);
});

it('reports the times of the oldest and the newest event in the range', async () => {
  expect(await examinedRange(oldest - day, first)).toEqual([2, oldest, first]);
  expect(await examinedRange(newest - day, newest + day)).toEqual([1, newest, newest]);
  expect(await examinedRange(newest + day, newest + 2 * day)).toEqual([0, 0, 0]);
});
