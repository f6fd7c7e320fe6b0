import type { Engine } from '@millrace/engine';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/**
 * Pages of the newest events of a dataset whose events lie in more than a dozen partitions, as they
 * arrive long after their time.
 */

let world: EngineTestServer;
const statements: string[] = [];

function watchEngine(engine: Engine): Engine {
  const query = engine.query.bind(engine);
  engine.query = (sql, options) => {
    statements.push(sql);
    return query(sql, options);
  };
  return engine;
}

beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0 }, watchEngine);
});
afterAll(() => world.close());
afterEach(() => void (statements.length = 0));

const day = 86_400_000;
/** Midnights, where partitions begin, every nine days; two events each. */
const midnights = Array.from({ length: 42 }, (_, i) => (Math.floor(Date.now() / day) - 9 * i) * day);
const events = midnights.flatMap((time, i) =>
  [2 * i, 2 * i + 1].map((id) => ({ id, even: id % 2 === 0, _time: new Date(time).toISOString() })),
);
/** Among equal times, the last arrival is the newest. */
const newestFirst = events.map(({ id }) => (id % 2 === 0 ? id + 1 : id - 1));
/** A part of them as a page, which has events of equal times in the order sent. */
const newest = (from: number, to: number): readonly number[] =>
  newestFirst.slice(from, to).toSorted((a, b) => (a >> 1) - (b >> 1) || a - b);

const pages = (): readonly string[] => statements.filter((sql) => sql.includes('`id#i`'));
const boundedPages = (): readonly boolean[] => pages().map((sql) => sql.includes('greaterOrEquals(`_time`'));

async function page(apl: string, more: object = {}) {
  const { tables, status } = await world.apl<Tabular>(apl, more);
  const [ids = []] = tables[0]!.columns;
  return { ids: ids as number[], status };
}

/**
 * How long a test waits, in milliseconds, for the server to learn where events lie, which it does
 * in the background.
 */
const patience = 20_000;

/** A dataset whose event times the server has learned. */
async function learnTimes(name: string, sent: readonly object[] = events): Promise<void> {
  await world.dataset(name, sent);
  await page(`${name} | project id | limit 3`);
  await vi.waitFor(() => expect(statements.some((sql) => sql.includes('partition_id'))).toBe(true), patience);
  await vi.waitFor(async () => {
    statements.length = 0;
    await page(`${name} | project id | limit 3`);
    expect(boundedPages()[0]).toBe(true);
  }, patience);
  statements.length = 0;
}

it('come from the newest partitions, all of them, in order, page by page', async () => {
  await learnTimes('paged');
  const seen: number[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { ids, status } = await page('paged | project id | limit 5', cursor === undefined ? {} : { cursor });
    seen.push(...ids);
    expect(status).toMatchObject({ rowsMatched: 84, rowsExamined: 84 });
    if (ids.length < 5) break;
    cursor = status.minCursor;
  }
  expect(seen).toEqual(newestFirst.flatMap((_, i) => (i % 5 === 0 ? newest(i, i + 5) : [])));
  // Each page was full at the first attempt; the last ones, which leave few older partitions, were
  // queried without a bound.
  expect([boundedPages().length, boundedPages().slice(0, 4)]).toEqual([17, [true, true, true, true]]);
  expect(boundedPages().at(-1)).toBe(false);
});

it('within a range', async () => {
  await learnTimes('ranged');
  const endTime = new Date(midnights[5]!).toISOString();
  expect((await page('ranged | project id | limit 4', { endTime })).ids).toEqual(newest(10, 14));
  const startTime = new Date(midnights[0]!).toISOString();
  expect((await page('ranged | project id | limit 4', { startTime })).ids).toEqual(newest(0, 2));
});

it('are found even if the newest ones were deleted', async () => {
  await learnTimes('deleted');
  const body = { apl: 'deleted | where id < 40', commit: true };
  await world.send('POST', '/v2/datasets/_apl/delete', body);
  statements.length = 0;
  for (let i = 0; i < 2; i++) expect((await page('deleted | project id | limit 6')).ids).toEqual(newest(40, 46));
  // Only the first of the two was queried twice.
  expect(boundedPages()).toEqual([true, false, false]);
});

it('with events that came since', async () => {
  await learnTimes('growing');
  const later = [100, 101, 102].map((id) => ({ id, _time: new Date().toISOString() }));
  await world.ingest('growing', later);
  expect((await page('growing | project id | limit 5')).ids).toEqual([100, 101, 102, ...newest(0, 2)]);
  await world.ingest('growing', [{ id: 103, _time: '1999-01-01T00:00:00Z' }]);
  expect((await page('growing | sort by _time asc | project id | limit 1')).ids).toEqual([103]);
});

describe('an invalid page has no bound', () => {
  beforeAll(() => learnTimes('other'));

  it.each([
    'other | where even | project id | limit 3',
    'other | project id, _time | sort by _time asc | limit 3',
    'other | project id | sort by id asc | limit 3',
    'other | sample 0.5 | project id | limit 3',
    'other | summarize n = count() by id | limit 3',
    'other | distinct id | limit 3',
    'union other, other | project id | limit 3',
    'other | sort by _time desc | extend next = next(id) | project id, next | limit 3',
    'other | sort by _time asc | extend n = row_number() | sort by _time desc | project id, n | limit 3',
    'other | sort by _time desc | extend sum = 1 + row_cumsum(id) | project id, sum | limit 3',
  ])('%s', async (apl) => {
    await page(apl);
    expect(boundedPages().length).toBeGreaterThan(0);
    expect(boundedPages()).not.toContain(true);
  });
});

it('also of a view and of structured queries', async () => {
  await learnTimes('viewed');
  await world.send('POST', '/v2/views', { name: 'shown', aplQuery: 'viewed | project id' });
  expect((await page('shown | limit 3')).ids).toEqual(newest(0, 3));
  const { matches } = await world.query('viewed', {
    startTime: '2000-01-01T00:00:00Z',
    endTime: new Date(Date.now() + day).toISOString(),
    limit: 3,
  });
  expect(matches.map(({ data }) => data['id'])).toEqual(newest(0, 3));
  // A range always has a condition on the time.
  expect(pages()).toHaveLength(2);
  expect(pages().map((sql) => sql.split('greaterOrEquals(`_time`').length - 1)).toEqual([1, 2]);
});
