import { type Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/**
 * How many events a query's range has, and the part of it between the oldest and the newest event.
 */

let rowsRead = 0;
let statementCount = 0;
let ranges = 0;

/** An engine that records how many rows are read to count those in a range. */
function recordCounts(engine: Engine): Engine {
  const query = engine.query.bind(engine);
  engine.query = async (sql, options) => {
    const answer = await query(sql, options);
    if (/^SELECT count\(\) AS `count@` FROM .* WHERE /.test(sql)) {
      rowsRead = answer.statistics.rowsRead;
      statementCount++;
    }
    return answer;
  };
  return engine;
}

const second = 1000;
const day = 86_400 * second;
const first = Date.UTC(2026, 4, 1);
const timesOf = (n: number, step: number): readonly number[] => Array.from({ length: n }, (_, i) => first + i * step);
const times: Readonly<Record<string, readonly number[]>> = {
  logs: [...timesOf(400, Math.floor(day / 7)), ...timesOf(400, Math.floor(day / 11))],
  other: timesOf(5, day / 2),
  dense: timesOf(60_000, second),
  empty: [],
};

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0 }, recordCounts);
  for (const [name, all] of Object.entries(times))
    await world.dataset(
      name,
      all.map((time, n) => ({ _time: new Date(time).toISOString(), n })),
    );
});
afterAll(() => world.close());

it.each([
  [['logs'], 0, 400],
  [['logs'], 3.01, 0.001],
  [['logs'], 3.01, 1],
  [['logs'], 10, 7.5],
  [['logs'], -3, 3],
  [['logs'], 500, 5],
  [['logs', 'other', 'empty'], 1, 3],
  [['logs', 'other', 'empty'], -9, 900],
  [['other', 'empty'], 200, 3],
  [['empty'], 0, 3],
])('%j, %d days later for %d days', async (names, later, days) => {
  const [startTime, endTime] = [first + later * day, first + (later + days) * day];
  const all = names.flatMap((name) => times[name]!);
  const examined = all.filter((time) => time >= startTime && time <= endTime).length;
  const { status } = await world.apl<Tabular>(`union ${names.join(', ')} | where n >= 0 | count`, {
    startTime: new Date(startTime),
    endTime: new Date(endTime),
  });
  const { rowsExamined, minBlockTime, maxBlockTime } = status as unknown as Record<string, string | number>;
  expect(rowsExamined).toBe(examined);
  const none = examined === 0;
  expect(Date.parse(String(minBlockTime))).toBe(none ? 0 : Math.max(startTime, Math.min(...all)));
  expect(Date.parse(String(maxBlockTime))).toBe(none ? 0 : Math.min(endTime, Math.max(...all)));
});

it('does not read the events of a range to count them', async () => {
  const body = { startTime: new Date(first + 100 * second), endTime: new Date(first + 59_000 * second) };
  const { status } = await world.apl<Tabular>('dense | where n >= 0 | count', body);
  expect(status.rowsExamined).toBe(58_901);
  expect(rowsRead).toBeGreaterThan(0);
  expect(rowsRead).toBeLessThan(3 * 8192);
});

it.each([
  ['dense | count', false],
  ['dense | summarize n = count()', false],
  ['dense | summarize n = count(), most = max(n) by bin(_time, 1h)', false],
  ['dense | distinct n', false],
  ['dense | summarize most = max(n)', true],
  ['dense | summarize n = count() by bin(_time, 1h) | where n > 9', true],
  ['dense | where n >= 0 | count', true],
])('%s: events in the range are counted by another statement: %s', async (apl, isCounted) => {
  statementCount = 0;
  // Every query has a different range, because counts are cached.
  const from = first + ++ranges * second;
  for (const [startTime, events] of [
    [from, 50_000],
    [from + day, 0],
  ] as const) {
    const { status } = await world.apl<Tabular>(apl, {
      startTime: new Date(startTime),
      endTime: new Date(startTime + 49_999 * second),
    });
    expect(status).toMatchObject({ rowsExamined: events, rowsMatched: events });
  }
  expect(statementCount).toBe(isCounted ? 2 : 0);
});
