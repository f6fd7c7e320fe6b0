import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer, Legacy } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * The times of matches in the legacy format, even if a query redefines the columns of these names.
 */

const time = (second: number): string => `2026-05-01T10:00:0${second}Z`;

describe('the times of matches', () => {
  let world: EngineTestServer;
  /** When each event arrived. */
  let arrived: ReadonlyMap<string, string>;
  beforeAll(async () => {
    world = await sharedTestServer();
    await world.dataset('logs', [{ _time: time(1), n: 1, s: 'a' }]);
    await world.ingest('logs', [{ _time: time(2), n: 2 }]);
    await world.dataset('more', [{ _time: time(3), n: 3 }]);
    const { tables } = await world.apl('union logs, more | project _time, _sysTime');
    const [times = [], arrivals = []] = tables[0]!.columns as readonly string[][];
    arrived = new Map(times.map((each, i) => [each, arrivals[i]!]));
    expect([...arrived].every(([at, arrival]) => arrival > at)).toBe(true);
  });
  afterAll(() => world.close());

  const matches = async (apl: string): Promise<Legacy['matches']> =>
    (await world.apl<Legacy>(apl, {}, 'legacy')).matches;
  const timesOf = (found: Legacy['matches']) => found.map(({ _time, _sysTime }) => [_time, _sysTime]);
  const events = (...seconds: readonly number[]) => seconds.map((second) => [time(second), arrived.get(time(second))]);

  it.each([
    ['nothing done to them', 'logs'],
    ['projected away by naming others', 'logs | project n'],
    ['projected away by name', 'logs | project-away _time, _sysTime'],
    ['the time of arrival alone', 'logs | project-away _sysTime | where n > 0 | extend m = n + 1'],
    ['renamed', 'logs | project-rename at = _sysTime'],
    ['made a text', "logs | extend _time = 'x', _sysTime = 'y'"],
    ['made null', 'logs | extend _time = datetime(null), _sysTime = datetime(null)'],
    ['behind a limit and functions of other rows', 'logs | project n | extend p = prev(n) | take 5 | where n > 0'],
  ])('%s', async (_, apl) => expect(timesOf(await matches(apl))).toEqual(events(2, 1)));

  it('of a union', async () =>
    expect(timesOf(await matches('union logs, more | project n | sort by n desc'))).toEqual(events(3, 2, 1)));

  it('are the times that the query computes, if any', async () =>
    expect(
      timesOf(await matches('logs | extend _time = datetime(2020-01-01), _sysTime = datetime(2021-01-01) | take 1')),
    ).toEqual([['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z']]));

  it('columns of the same names that are no times are data', async () => {
    const [match] = await matches("logs | project _time = 'x', _sysTime = n | take 1");
    expect(match).toMatchObject({ _time: time(2), data: { _time: 'x', _sysTime: 2 } });
    const { matches: renamed } = await world.query('logs', { project: [{ field: 'n', alias: '_sysTime' }] });
    expect(timesOf(renamed)).toEqual(events(2, 1));
    expect(renamed.map(({ data }) => data)).toEqual([{ _sysTime: 2 }, { _sysTime: 1 }]);
  });
});
