import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
});
afterAll(() => world.close());

interface Line {
  readonly event?: Readonly<Record<string, unknown>>;
  readonly position?: string;
  readonly cursor?: string;
  readonly settled?: string;
  readonly since?: string;
  readonly error?: { readonly code: string };
}

/** A running tail; `next` waits for the next matching line. */
async function tail(body: object, token = world.owner) {
  const abort = new AbortController();
  const response = await fetch(`${world.url}/v1/tail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  expect(response.status, await (response.ok ? '' : response.text())).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const lines: Line[] = [];
  const next = async (fits: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      for (let line = lines.shift(); line !== undefined; line = lines.shift()) if (fits(line)) return line;
      const { value, done } = await reader.read();
      if (done) throw new Error('the tail is over');
      const whole = (rest + value).split('\n');
      rest = whole.pop()!;
      lines.push(...whole.map((text) => JSON.parse(text) as Line));
    }
  };
  return { next, event: () => next(({ event }) => event !== undefined), stop: () => abort.abort() };
}

const numbers = async (running: Awaited<ReturnType<typeof tail>>, count: number): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  while (found.length < count) found.push((await running.event()).event!['n']);
  return found;
};

describe('a tail', () => {
  it('has events in order of arrival, including earlier-dated ones', async () => {
    await world.dataset('late', [{ n: 0 }]);
    const running = await tail({ apl: 'late' });
    await running.next(({ settled }) => settled !== undefined);
    await world.ingest('late', [{ n: 1 }]);
    expect(await numbers(running, 1)).toEqual([1]);
    await world.ingest('late', [
      { n: 2, _time: '2020-01-01T00:00:00Z' },
      { n: 3, _time: '2019-01-01T00:00:00Z', only: 'here' },
    ]);
    const second = await running.event();
    expect(second.event).toMatchObject({ n: 2, _time: '2020-01-01T00:00:00Z' });
    expect((await running.event()).event).toMatchObject({ n: 3, only: 'here' });
    const { settled } = await running.next(({ settled }) => settled !== undefined);
    expect(settled).toBe(second.position);
    running.stop();
  });

  it('goes on behind an event in the middle of a batch, and behind a settled position', async () => {
    await world.dataset('resumed');
    await world.ingest('resumed', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await world.ingest('resumed', [{ n: 4, _time: '2001-01-01T00:00:00Z' }]);
    const first = await tail({ apl: 'resumed', after: '0' });
    const two = [await first.event(), await first.event()];
    expect(two.map(({ event }) => event!['n'])).toEqual([1, 2]);
    first.stop();
    const second = await tail({ apl: 'resumed', after: two[1]!.cursor });
    expect(await numbers(second, 2)).toEqual([3, 4]);
    const { settled } = await second.next(({ settled }) => settled !== undefined);
    second.stop();
    await world.ingest('resumed', [{ n: 5 }]);
    const third = await tail({ apl: 'resumed', after: settled });
    expect(await numbers(third, 1)).toEqual([5]);
    third.stop();
  });

  it('has all of the last batch, however large, from any position in it', async () => {
    const all = Array.from({ length: 3000 }, (_, n) => ({ n }));
    await world.dataset('large');
    const running = await tail({ apl: 'large' });
    await running.next(({ settled }) => settled !== undefined);
    await world.ingest('large', all);
    expect(await numbers(running, 3000)).toEqual(all.map(({ n }) => n));
    running.stop();
    const first = await tail({ apl: 'large', after: '0' });
    const { cursor } = await first.next(({ event }) => event?.['n'] === 2000);
    first.stop();
    // No batch arrived since, so the batch of the cursor is the newest.
    const second = await tail({ apl: 'large', after: cursor });
    expect(await numbers(second, 999)).toEqual(all.slice(2001).map(({ n }) => n));
    second.stop();
  });

  it('delivers each event once despite parallel senders and repeated interruptions', async () => {
    await world.dataset('busy');
    const all = Array.from({ length: 60 }, (_, i) => i);
    const sent = Promise.all(
      all.map(async (i) => {
        const time = new Date(Date.UTC(2026, 0, 1 + (i % 7))).toISOString();
        await world.ingest(
          'busy',
          Array.from({ length: 50 }, (_, j) => ({ n: i * 50 + j, _time: time })),
        );
      }),
    );
    const seen: unknown[] = [];
    let after = '0';
    while (seen.length < 3000) {
      const running = await tail({ apl: 'busy', after });
      for (let i = 0; i < 700 && seen.length < 3000; i++) {
        const { event, cursor } = await running.event();
        seen.push(event!['n']);
        after = cursor!;
      }
      running.stop();
    }
    await sent;
    expect(seen.length).toBe(new Set(seen).size);
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });

  it('filters and computes', async () => {
    await world.dataset('filtered', [{ n: 1 }, { n: 2 }]);
    const running = await tail({ apl: 'filtered | where n > 1 | extend twice = n * 2 | project twice', after: '0' });
    const { event } = await running.event();
    expect(event).toEqual({ twice: 4 });
    running.stop();
  });

  it('ends with its token, and continues when the rights of others change', async () => {
    await world.dataset('private', [{ n: 1 }]);
    const made = await world.send<{ readonly id: string; readonly token: string }>('POST', '/v2/tokens', {
      name: 'reader',
      datasetCapabilities: { private: { query: ['read'] } },
    });
    const running = await tail({ apl: 'private', after: '0' }, made.body.token);
    await running.event();
    await world.token({ orgCapabilities: { users: ['read'] } });
    await world.ingest('private', [{ n: 2 }]);
    expect((await running.event()).event).toMatchObject({ n: 2 });
    await world.send('DELETE', `/v2/tokens/${made.body.id}`);
    await world.ingest('private', [{ n: 3 }]);
    const last = await running.next(({ event, error }) => event !== undefined || error !== undefined);
    expect(last.error?.code).toBe('unauthenticated');
  });

  it('is a query that is listed and can be stopped', async () => {
    await world.dataset('stopped', [{ n: 1 }]);
    const running = await tail({ apl: 'stopped' });
    await running.next(({ settled }) => settled !== undefined);
    const listed = await world.send<readonly { id: string; kind: string; query: string }[]>('GET', '/v1/queries');
    const { id } = listed.body.find(({ kind, query }) => kind === 'tail' && query === 'stopped')!;
    await world.send('DELETE', `/v1/queries/${id}`);
    await expect(running.next(({ event }) => event !== undefined)).rejects.toThrow('the tail is over');
  });

  it.each([
    [`logs ${'| where n == 1 '.repeat(2000)}`, 'at most 16384 are followed'],
    ['logs | summarize count()', "'summarize' needs more than one event at a time"],
    ['logs | take 3', "'take' needs more than one event at a time"],
    ['logs | sort by _time asc', "'sort' needs more than one event at a time"],
    ['logs | extend before = prev(n)', 'looks at other events'],
    ['logs | where n in ((logs | project n))', 'looks at other events'],
    ["['lo*']", "'lo*' stands for several datasets"],
    ['view', "'view' is a view"],
    ['print 1', 'does not begin with the name of a dataset'],
  ])('%s is refused: %s', async (apl, problem) => {
    await world.send('POST', '/v2/datasets', { name: 'logs' });
    await world.ingest('logs', [{ n: 1 }]);
    await world.send('POST', '/v2/views', { name: 'view', aplQuery: 'logs' });
    const { status, text } = await world.send('POST', '/v1/tail', { apl });
    expect([status, text]).toEqual([400, expect.stringContaining(problem)]);
  });

  it('needs the right to query the dataset', async () => {
    await world.send('POST', '/v2/datasets', { name: 'hidden' });
    const token = await world.token({ datasetCapabilities: { other: { query: ['read'] } } });
    expect((await world.send('POST', '/v1/tail', { apl: 'hidden' }, { token })).status).toBe(403);
  });
});

describe('the start of a tail', () => {
  it('separates the events of a query with it as asOf from those of the tail', async () => {
    await world.dataset('started', [{ n: 1 }, { n: 2 }]);
    const running = await tail({ apl: 'started' });
    const { since, settled } = await running.next(() => true);
    expect(since).toBe(settled);
    await world.ingest('started', [{ n: 3 }, { n: 4, _time: '2020-01-01T00:00:00Z' }]);
    expect(await numbers(running, 2)).toEqual([3, 4]);
    const before = await world.apl('started | project n', { asOf: since });
    expect(before.tables[0]!.columns).toEqual([[1, 2]]);
    running.stop();
  });

  it('is reported only if the request has none', async () => {
    await world.dataset('continued', [{ n: 1 }]);
    const running = await tail({ apl: 'continued', after: '0' });
    expect(await running.next(() => true)).toHaveProperty('event');
    expect(await running.next(({ settled }) => settled !== undefined)).not.toHaveProperty('since');
    running.stop();
  });
});

describe('asOf', () => {
  const watermarkOf = async (apl: string): Promise<string> => {
    const { headers } = await world.send('POST', '/v1/query/_apl?format=tabular', { apl });
    return headers.get('x-millrace-settled') ?? '';
  };

  it('shows what was there then: events, counts and aggregations', async () => {
    await world.dataset('past', [{ n: 1 }, { n: 2 }]);
    const asOf = await watermarkOf('past');
    await world.ingest('past', [{ n: 3 }, { n: 4, _time: '2020-01-01T00:00:00Z' }]);
    const sum = async (more: object) => (await world.apl('past | summarize sum(n), count()', more)).tables[0]!.columns;
    // Twice, because the second result might come from the cache.
    for (const _ of [1, 2]) {
      expect(await sum({ asOf })).toEqual([[3], [2]]);
      expect(await sum({})).toEqual([[10], [4]]);
    }
    const then = await world.apl('past | project n', { asOf });
    expect(then.tables[0]!.columns).toEqual([[1, 2]]);
    expect(then.status).toMatchObject({ rowsExamined: 2, rowsMatched: 2 });
    const exported = await world.send('POST', '/v1/export', { apl: 'past | project n', asOf });
    expect(exported.text.trim().split('\n')).toHaveLength(2);
  });

  it('holds for every dataset of a query', async () => {
    await world.dataset('left', [{ k: 1 }]);
    await world.dataset('right', [{ k: 1 }]);
    const asOf = await watermarkOf('left | join kind=inner (right) on k');
    await world.ingest('right', [{ k: 1 }]);
    const count = async (more: object) =>
      (await world.apl('left | join kind=inner (right) on k | count', more)).tables[0]!.columns;
    expect([await count({ asOf }), await count({})]).toEqual([[[1]], [[2]]]);
  });

  it('is accepted by structured queries, and each response format reports its upper bound', async () => {
    await world.dataset('kinds', [{ n: 1 }]);
    const asOf = await watermarkOf('kinds');
    await world.ingest('kinds', [{ n: 2 }]);
    const aggregated = {
      startTime: 'now-1h',
      endTime: 'now',
      resolution: '1m',
      aggregations: [{ op: 'sum', field: 'n' }],
    };
    const sum = async (more: object): Promise<unknown> =>
      (await world.query('kinds', { ...aggregated, ...more })).buckets.totals[0]!.aggregations[0]!.value;
    for (const _ of [1, 2]) expect([await sum({ asOf }), await sum({})]).toEqual([1, 3]);
    expect((await world.query('kinds', { asOf })).matches.map(({ data }) => data['n'])).toEqual([1]);
    const now = await watermarkOf('kinds');
    expect(BigInt(now)).toBeGreaterThan(BigInt(asOf));
    const others: readonly (readonly [string, object])[] = [
      ['/v1/datasets/kinds/query', aggregated],
      ['/v1/export', { apl: 'kinds' }],
      ['/v1/query/estimate', { apl: 'kinds' }],
    ];
    for (const [path, body] of others) {
      const { status, headers } = await world.send('POST', path, body);
      expect([path, status, headers.get('x-millrace-settled')]).toEqual([path, 200, now]);
    }
  });

  it('is a position', async () => {
    const { status, text } = await world.send('POST', '/v1/query/_apl', { apl: 'past', asOf: 'yesterday' });
    expect([status, text]).toEqual([400, expect.stringContaining('a position in the log, such as 42')]);
  });
});
