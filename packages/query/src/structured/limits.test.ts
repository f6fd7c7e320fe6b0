import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * How many events and groups structured queries return, and whether the response reports that there
 * are more.
 */

const second = (n: number): string => `2026-05-01T10:00:0${n}Z`;

describe('limits of structured queries', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer({ defaultQueryLimit: 3, maxQueryLimit: 6 });
    await world.dataset(
      'logs',
      [1, 2, 3, 4, 5, 6, 7].map((n) => ({ _time: second(n), n, even: n % 2 === 0 })),
    );
  });
  afterAll(() => world.close());

  const cut = ['default_limit_warning'];
  const five = { groupBy: ['n'], startTime: second(3) };
  const order = [{ field: 'count', desc: true }];
  it.each([
    ['events, no limit', {}, 3, cut],
    ['events, zero', { limit: 0 }, 3, cut],
    ['events, nothing more', { startTime: second(5) }, 3, []],
    ['events, a limit', { limit: 2 }, 2, []],
    ['events, a limit that is higher than the server allows', { limit: 7 }, 6, cut],
    ['groups, no limit', five, 3, cut],
    ['groups, no limit, ranked', { ...five, order }, 3, cut],
    ['groups, nothing more', { groupBy: ['even'] }, 2, []],
    ['groups, a limit', { ...five, limit: 4 }, 4, []],
    ['groups, a limit, ranked', { ...five, order, limit: 2 }, 2, []],
    ['one group', { aggregations: [{ op: 'count', field: '*' }] }, 1, []],
  ])('%s', async (_, body, rows, codes) => {
    const { matches, buckets, status } = await world.query('logs', {
      endTime: second(9),
      startTime: second(0),
      resolution: '10s',
      ...body,
    });
    expect(matches.length + buckets.totals.length).toBe(rows);
    expect(status.messages.map(({ code }) => code)).toEqual(codes);
  });
});
