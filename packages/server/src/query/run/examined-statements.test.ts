import { type Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld, type Tabular } from '../../testing/engine-world.js';

/** What is examined is the same whether the times of events are read or the first and the last are looked for. */

const asked: string[] = [];
const isSought = (sql: string): boolean => / UNION ALL .* LIMIT 1\b/.test(sql);

let soughtNanoseconds = 1;

/** An engine that seems to read many rows, so that the next question of a kind is answered the other way. */
function reading(engine: Engine): Engine {
  const query = engine.query.bind(engine);
  engine.query = async (sql, options) => {
    asked.push(sql);
    const answer = await query(sql, options);
    const elapsedNanoseconds = isSought(sql) ? soughtNanoseconds : 1000;
    return { ...answer, statistics: { ...answer.statistics, elapsedNanoseconds, rowsRead: 1e7 } };
  };
  return engine;
}

const day = 86_400_000;
const first = Date.UTC(2026, 4, 1);
let world: EngineWorld;
beforeAll(async () => {
  world = await openEngineWorld({ resultCacheBytes: 0 }, reading);
  const events = (n: number, step: number) =>
    Array.from({ length: n }, (_, i) => ({ _time: new Date(first + i * step).toISOString(), n: i }));
  await world.dataset('logs', [...events(400, day / 7), ...events(400, day / 11)]);
  await world.dataset('other', events(5, day / 2));
  await world.dataset('empty');
});
afterAll(() => world.close());

it.each([
  ['logs', 0, 400],
  ['logs', 3.01, 0.001],
  ['logs', 10, 7.5],
  ['logs', -3, 3],
  ['logs', 500, 5],
  ['union logs, other, empty', 1, 3],
  ['union logs, other, empty', -9, 900],
  ['union other, empty', 200, 3],
  ['empty', 0, 3],
])('%s, %d days later for %d days', async (source, later, days) => {
  const body = { startTime: new Date(first + later * day), endTime: new Date(first + (later + days) * day) };
  const examined = async () => {
    asked.length = 0;
    const { status } = await world.apl<Tabular>(`${source} | where n >= 0 | count`, body);
    const { rowsExamined, minBlockTime, maxBlockTime } = status as unknown as Record<string, unknown>;
    return { sought: asked.some(isSought), answer: { rowsExamined, minBlockTime, maxBlockTime } };
  };
  const [scanned, sought] = [await examined(), await examined()];
  expect([scanned.sought, sought.sought]).toEqual([false, true]);
  expect(sought.answer).toEqual(scanned.answer);
});

const asks = async (days: number, length: number): Promise<boolean> => {
  asked.length = 0;
  const body = { startTime: new Date(first + days), endTime: new Date(first + length * day + days) };
  await world.apl<Tabular>('logs | where n >= 1 | count', body);
  return asked.some(isSought);
};

it('reads the times again once there are few', async () => {
  expect([await asks(1, 30), await asks(2, 30), await asks(3, 30)]).toEqual([false, true, false]);
});

it('reads the times from then on where looking for the ends takes longer', async () => {
  soughtNanoseconds = 1001;
  const sought = [await asks(1, 90), await asks(2, 90), await asks(3, 90), await asks(4, 90)];
  soughtNanoseconds = 1;
  expect(sought).toEqual([false, true, false, false]);
});
