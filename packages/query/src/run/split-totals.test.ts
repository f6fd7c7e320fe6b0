import { type Engine, EngineError } from '@millrace/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/** A series and its totals in one statement equal the results of two statements. */

const statements: string[] = [];
let isApart = false;

/**
 * Records the statements; while `isApart` holds, combined statements seem to return too many rows.
 */
function watchEngine(engine: Engine): Engine {
  const query = engine.query.bind(engine);
  engine.query = async (sql, options) => {
    statements.push(sql);
    const answer = await query(sql, options);
    return isApart && sql.includes('GROUPING SETS') ? { ...answer, rows: 1e6 } : answer;
  };
  return engine;
}

const levels = ['info', 'error', '', undefined, null, 'a "b",]\\'];
const codes = [1, '1', 2.5, true, ['x', 1], { a: 1 }, undefined];
const reals = [0, -0, 1.5, undefined, -2.25];

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0, maxQueryLimit: 10_000 }, watchEngine);
  await world.dataset('empty');
  await world.dataset('other', [{ _time: '2026-05-01T00:00:01Z', level: 'info', n: 5 }]);
  await world.dataset(
    'logs',
    Array.from({ length: 400 }, (_, i) => ({
      // The first bins of all times, too: a key that is not in a set has the time zero.
      _time: new Date((i % 3 === 0 ? -90_000 : Date.UTC(2026, 4, 1)) + i * 1000).toISOString(),
      level: levels[i % levels.length],
      code: codes[i % codes.length],
      real: reals[i % reals.length],
      n: i % 11 === 0 ? undefined : i % 17,
      at: `2026-01-0${1 + (i % 3)}T00:00:00Z`,
      id: `id-${i}`,
    })),
  );
});
afterAll(() => world.close());

const range = { startTime: '1960-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' };

/**
 * The result without values that differ between requests, such as the last digits of a deviation,
 * which depend on the order in which the engine's threads merge their rows.
 */
async function answerTo(apl: string, format: string): Promise<unknown> {
  const { status, ...rest } = await world.apl<Tabular>(apl, range, format);
  const answer = { ...rest, rowsExamined: status.rowsExamined, rowsMatched: status.rowsMatched };
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );
}

/** Compares the result with that of two statements, and returns the executed statements. */
async function compareSplit(
  apl: string,
  format = 'tabular',
): Promise<{ readonly together: number; readonly apart: number }> {
  isApart = true;
  const apart = await answerTo(apl, format);
  isApart = false;
  statements.length = 0;
  expect(await answerTo(apl, format), apl).toEqual(apart);
  const grouped = statements.filter(
    // Statements of the query quote the names of columns; other statements are for the term index.
    (sql) =>
      sql.includes('FROM `millrace`.`d') && !sql.startsWith('SELECT count() AS `count@`') && !sql.includes('(_time)'),
  );
  const together = grouped.filter((sql) => sql.includes('GROUPING SETS')).length;
  return { together, apart: grouped.length - together };
}

const aggregates = [
  'c = count(), avg(n), min(real), m = max(level), dcount(id), percentile(n, 50), sum(real), countif(n > 3)',
  'first = min(_time), last = max(bin(_time, 1m)), arg_max(id, n), make_set(level), stdev(n), take_anyif(n, id == "id-7")',
];

describe('one statement says what two say', () => {
  it.each([
    '',
    ', level',
    ', code',
    ', real',
    ', at',
    ', level, n2 = n',
    ', tolower(level)',
    ', k = n > 3',
    ', "same"',
    ', t = _time',
    ', h = hourofday(bin(_time, 1m))',
    ', id2 = id',
  ])('by a time bin%s', async (key) => {
    for (const input of ['logs | where n > 3', 'logs | where level == "nowhere"', 'empty'])
      for (const aggregate of aggregates)
        expect(await compareSplit(`${input} | summarize ${aggregate} by bin(_time, 1m)${key}`)).toEqual({
          together: 1,
          apart: 0,
        });
  });

  it.each([
    'logs | summarize count() by bin_auto(_time)',
    'logs | summarize c = count() by bin(_time, 1m), level | extend twice = c * 2, upper = toupper(level)',
    'logs | summarize c = count() by bin(_time, 1m), level | project c, when = _time',
    'logs | summarize c = count() by bin(_time, 1m), level | order by _time desc',
    'logs | summarize c = count() by bin(_time, 1m), level | order by c desc',
    'logs | mv-expand code | summarize count() by bin(_time, 1m), tostring(code)',
    'logs | summarize count() by level, bin(_time, 1m)',
  ])('%s', async (apl) => {
    expect(await compareSplit(apl)).toEqual({ together: 1, apart: 0 });
    expect(await compareSplit(apl, 'legacy')).toEqual({ together: 1, apart: 0 });
  });
});

describe('two statements where one cannot say both', () => {
  it.each([
    ['looks at the size of the bin', 'logs | summarize rate(n) by bin(_time, 1m), level'],
    ['another order', 'logs | summarize c = count() by bin(_time, 1m), level | order by level asc'],
    ['the bin is another key as well', 'logs | summarize c = count() by bin(_time, 1m), again = bin(_time, 1m)'],
    ['the best series', 'logs | summarize c = count() by bin(_time, 1m), level | limit 2'],
    ['a small limit', 'logs | summarize c = count() by bin(_time, 1m), level | order by c desc | take 5'],
    [
      'a query inside',
      'logs | where n > toscalar(logs | summarize avg(n)) | summarize count() by bin(_time, 1m), level',
    ],
    ['several datasets', 'union logs, other | summarize count() by bin(_time, 1m), level'],
    ['groups of groups', 'logs | summarize c = count() by _time, level | summarize max(c) by bin(_time, 1m), level'],
  ])('%s', async (_, apl) => {
    const { together, apart } = await compareSplit(apl);
    expect(together).toBe(0);
    expect(apart).toBeGreaterThanOrEqual(2);
  });

  it('more groups than the limit', async () => {
    await world.dataset(
      'wide',
      Array.from({ length: 10_100 }, (_, i) => ({ _time: '2026-05-01T00:00:00Z', i, even: i % 2 === 0 })),
    );
    const apl = (max: number) => `wide | where i < ${max} | summarize count() by bin(_time, 1m), i, even`;
    expect(await compareSplit(apl(10_001))).toEqual({ together: 1, apart: 2 });
    expect(await compareSplit(apl(6000)), 'with their totals').toEqual({ together: 1, apart: 2 });
    expect(await compareSplit(apl(5000))).toEqual({ together: 1, apart: 0 });
  });
});

it('splits a query that needs too much memory at once', async () => {
  const outcomes: string[] = [];
  const small = await openEngineTestServer({ resultCacheBytes: 0, queryMemoryBytes: 80 * 2 ** 20 }, (engine) => {
    const query = engine.query.bind(engine);
    engine.query = async (sql, options) => {
      const what = sql.includes('GROUPING SETS') ? 'together' : 'apart';
      if (!sql.includes('groupUniqArray')) return query(sql, options);
      try {
        const answer = await query(sql, options);
        outcomes.push(`${what}: answered`);
        return answer;
      } catch (error) {
        outcomes.push(`${what}: ${error instanceof EngineError ? error.code : 'failed'}`);
        throw error;
      }
    };
    return engine;
  });
  try {
    const start = Date.UTC(2026, 4, 1);
    await small.dataset(
      'many',
      Array.from({ length: 1000 }, (_, i) => ({ _time: new Date(start + i * 1000).toISOString(), s: `s${i}-` })),
    );
    const apl = (n: number) =>
      `many | mv-expand i = range(1, ${n}, 1) | summarize n = array_length(make_set(strcat(s, tostring(i)), 1000000)) by bin(_time, 1m)`;
    const { tables } = await small.apl(apl(300));
    expect(outcomes).toEqual(['together: memory-limit', 'apart: answered', 'apart: answered']);
    expect(tables.map(({ columns }) => columns.at(-1))).toEqual([
      [...Array<number>(16).fill(18_000), 12_000],
      [300_000],
    ]);
    outcomes.length = 0;
    expect(await small.send('POST', '/v1/datasets/_apl', { apl: apl(900) }), 'too much for each').toMatchObject({
      status: 432,
    });
    expect(outcomes[0]).toBe('together: memory-limit');
  } finally {
    await small.close();
  }
});
