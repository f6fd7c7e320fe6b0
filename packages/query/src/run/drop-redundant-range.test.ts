import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/** Bounds of a range that contains all events are dropped without changing results. */

const first = Date.UTC(2026, 4, 1);
const hour = 3_600_000;
let statements: string[] = [];
/** Runs before the next statement of a query. */
let interruption: (() => Promise<void>) | undefined;
let world: EngineTestServer;

function watchEngine(engine: Engine): Engine {
  const query = engine.query.bind(engine);
  engine.query = async (sql, options) => {
    if (sql.includes('FROM `millrace`.`d2`') && !sql.includes('(_time)')) {
      statements.push(sql);
      const before = interruption;
      interruption = undefined;
      await before?.();
    }
    return query(sql, options);
  };
  return engine;
}

beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0 }, watchEngine);
  await world.dataset(
    'logs',
    Array.from({ length: 50 }, (_, n) => ({
      _time: new Date(first + n * hour),
      n,
      level: n % 5 === 0 ? 'error' : 'info',
    })),
  );
});
afterAll(() => world.close());
beforeEach(() => {
  statements = [];
});

const range = (from: number, to: number): object => ({
  startTime: new Date(first + from * hour),
  endTime: new Date(first + to * hour),
});
const ask = async (apl: string, more: object): Promise<readonly unknown[]> => {
  const { status, tables } = await world.apl<Tabular>(apl, more);
  return [status.rowsExamined, status.rowsMatched, tables[0]!.columns];
};
const compares = (): boolean => statements.some((sql) => /(greaterOrEquals|lessOrEquals)\(`_time`/.test(sql));

describe('a range that has all events', () => {
  it.each<readonly [string, readonly unknown[]]>([
    ['logs | count', [50, 50, [[50]]]],
    ["logs | where level == 'error' | count", [50, 10, [[10]]]],
    [
      'logs | summarize count() by level',
      [
        50,
        50,
        [
          ['info', 'error'],
          [40, 10],
        ],
      ],
    ],
    ["logs | where level has 'error' | summarize sum(n)", [50, 10, [[225]]]],
  ])('is not compared: %s', async (apl, answer) => {
    expect(await ask(apl, range(-1, 50))).toEqual(answer);
    expect(compares()).toBe(false);
  });

  it('may be compared in a part of a query, whose answer is the same', async () => {
    const apl = 'logs | where n < 2 | join kind=inner (logs | where n > 0) on n | count';
    expect(await ask(apl, range(-1, 50))).toEqual([100, 51, [[1]]]);
  });

  it('may touch the first and the last event', async () => {
    expect(await ask('logs | count', range(0, 49))).toEqual([50, 50, [[50]]]);
    expect(compares()).toBe(false);
  });
});

it.each<readonly [string, object, readonly unknown[]]>([
  ['logs | count', range(1, 50), [49, 49, [[49]]]],
  ['logs | count', range(-1, 48), [49, 49, [[49]]]],
  ["logs | where level == 'error' | count", range(1, 50), [49, 9, [[9]]]],
  [`logs | where _time > datetime(${new Date(first).toISOString()}) | count`, range(-1, 50), [49, 49, [[49]]]],
])('a range that leaves events out is compared: %s %j', async (apl, more, answer) => {
  expect(await ask(apl, more)).toEqual(answer);
  expect(compares()).toBe(true);
});

it('a condition inside the range stays', async () => {
  const at = new Date(first + 9.5 * hour).toISOString();
  expect((await ask(`logs | extend late = _time > datetime(${at}) | where late | count`, range(-1, 50)))[2]).toEqual([
    [40],
  ]);
});

it('an event outside the range that arrives during the query is in no response', async () => {
  interruption = async () => {
    await world.ingest('logs', [{ _time: new Date(first + 60 * hour), n: 60, level: 'error' }]);
    await world.apl('logs | count');
  };
  const [, , columns] = await ask("logs | where level == 'error' | count", range(-1, 50));
  expect(columns).toEqual([[10]]);
  expect(compares()).toBe(true);
  expect(await ask("logs | where level == 'error' | count", range(-1, 60))).toEqual([51, 11, [[11]]]);
});
