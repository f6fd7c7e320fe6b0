import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/**
 * The number of matched rows in a result equals the actual number, however the result is computed.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0 });
  await world.dataset(
    'vip',
    ['u1', 'u2', 'u2'].map((user) => ({ _time: '2026-05-01T00:00:00Z', user })),
  );
  // Two days, so two parts.
  const events = Array.from({ length: 900 }, (_, i) => ({
    _time: new Date(Date.UTC(2026, 4, 1 + (i % 2)) + i * 1000).toISOString(),
    user: `u${i % 7}`,
    level: i % 5 === 0 ? 'error' : 'info',
    n: i,
  }));
  await world.dataset('logs', events);
});
afterAll(() => world.close());

const range = { startTime: '2026-04-01T00:00:00Z', endTime: '2026-06-01T00:00:00Z' };
const matchedBy = async (apl: string): Promise<number> =>
  (await world.apl<Tabular>(apl, range)).status.rowsMatched as number;

const errors = "logs | where level == 'error'";
const vips = 'logs | where user in ((vip | project user))';
const repeatedVips = 'logs | where user in ((vip | summarize c = count() by user | where c > 1 | project user))';
const late = 'logs | where n > toscalar(logs | summarize avg(n))';
const arrivedQuery = 'logs | where _sysTime > datetime(2020-01-01)';

const timedQuery = 'logs | where not(_time < datetime(2020-01-01))';

const filters = [
  { rows: errors, matched: 180 },
  { rows: vips, matched: 258 },
  { rows: repeatedVips, matched: 129 },
  { rows: late, matched: 450 },
  { rows: arrivedQuery, matched: 900 },
  { rows: timedQuery, matched: 900 },
  { rows: `${errors} | where n < 0`, matched: 0 },
];

const aggregations = [
  'count',
  'count | project x = 1',
  'summarize count() by user',
  'summarize count() by user, hour = hourofday(_time)',
  'summarize by user',
  'distinct user, level',
  'summarize max(n)',
  'summarize c = count() by user | take 2',
  'summarize c = count() by user | take 0',
  'summarize c = count() by user | where c > 10',
  'summarize c = count() by user | summarize max(c)',
  'summarize c = count() by user | where c > toscalar(vip | count)',
  'summarize c = count() by user | extend share = c * 100 / toscalar(logs | count) | order by share desc | take 1',
  'summarize count() by bin(_time, 1h)',
  'summarize count() by bin(_time, 1h), user',
  'summarize count(), rate(n) by bin(_time, 1m), level | take 3',
  'top 3 by n',
  'make-series count() on _time from datetime(2026-05-01) to datetime(2026-05-03) step 1h by user',
];

describe.each(filters)('$rows', ({ rows, matched }) => {
  it.each(aggregations)('%s', async (aggregation) => expect(await matchedBy(`${rows} | ${aggregation}`)).toBe(matched));
});
