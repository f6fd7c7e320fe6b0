import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EngineTestServer,
  type HttpReply,
  type Legacy,
  openEngineTestServer,
  type Tabular,
} from '@millrace/server/testing/engine-test-server';

/** Queries as clients meet them when there are limits, other clients, and data that changes. */

/** Joins every event with every other: seconds of work from few events. */
const slow = 'heavy | join kind=inner (heavy) on k | summarize count(), max(i), dcount(strcat(s, s1))';

interface RunningQuery {
  readonly rowsRead?: number;
  readonly id: string;
  readonly state: string;
  readonly query: string;
}

describe('the query service', () => {
  let world: EngineTestServer;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    world = await openEngineTestServer({
      engineSessions: 2,
      maxConcurrentQueries: 3,
      queryTimeout: 5000,
      queryMemoryBytes: 64 * 2 ** 20,
      queryHistory: 2,
    });
    const time = '2026-05-01T00:00:00Z';
    await world.dataset(
      'heavy',
      Array.from({ length: 30_000 }, (_, i) => ({ k: 1, i, s: `text ${i}`, _time: time })),
    );
    await world.dataset(
      'logs',
      Array.from({ length: 5 }, (_, n) => ({ n, _time: `2026-05-01T00:00:0${n}Z` })),
    );
    await world.dataset('secret', [
      { n: 1, tag: 'open' },
      { n: 2, tag: 'closed' },
    ]);
    const query = { query: ['read'] } as const;
    alice = await world.token({ datasetCapabilities: { heavy: query, logs: query } });
    bob = await world.token({ datasetCapabilities: { logs: query } });
  });
  afterAll(() => world.close());

  const apl = (query: string, token: string, signal?: AbortSignal): Promise<HttpReply<Tabular & { message: string }>> =>
    world.send(
      'POST',
      '/v1/datasets/_apl?format=tabular&nocache=true',
      { apl: query },
      { token, ...(signal && { signal }) },
    );
  const runningQueries = async (token = world.owner): Promise<readonly RunningQuery[]> =>
    (await world.send<readonly RunningQuery[]>('GET', '/v1/queries', undefined, { token })).body;
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    for (let i = 0; i < 200; i++) {
      if (await condition()) return;
      await pause(10);
    }
    throw new Error('it did not come to that');
  };

  describe('limits', () => {
    it('a query that runs too long is stopped with an error', async () => {
      const started = performance.now();
      const answer = await apl(slow, alice);
      expect(answer).toMatchObject({ status: 408 });
      expect(answer.body.message).toContain('timed out after 5 s');
      expect(performance.now() - started).toBeLessThan(20_000);
    });

    it('a query that needs too much memory fails with an error', async () => {
      const { status, body } = await apl(
        'heavy | join kind=inner (heavy) on k | summarize make_list(strcat(s, s1)) by strcat(s, s1)',
        alice,
      );
      const memoryError = {
        status: 432,
        body: { message: expect.stringContaining('exceeded its memory limit of 67108864 bytes') as string },
      };
      expect({ status, body }).toMatchObject(memoryError);
      // An export too, before its first chunk.
      const grouped = 'heavy | join kind=inner (heavy) on k | summarize make_list(strcat(s, s1)) by strcat(s, s1)';
      for (const format of ['ndjson', 'csv', 'parquet'])
        expect(await world.send('POST', '/v1/export', { apl: grouped, format }), format).toMatchObject(memoryError);
      expect(await runningQueries()).toEqual([]);
    });

    it('a client that goes away takes its query along', async () => {
      const leaving = new AbortController();
      const start = performance.now();
      const queries = [1, 2].map(() => apl(slow, alice, leaving.signal).catch(() => undefined));
      await until(async () => (await runningQueries()).filter(({ state }) => state === 'running').length === 2);
      leaving.abort();
      await Promise.all(queries);
      // The engine has two sessions: these are answered when both are free again, before the time
      // limit of the queries would have ended them.
      const after = await Promise.all([1, 2].map(() => apl('logs | where n >= 0 | count', bob)));
      expect(after.map(({ status }) => status)).toEqual([200, 200]);
      expect(performance.now() - start).toBeLessThan(5000);
      await until(async () => (await runningQueries()).length === 0);
    });

    it('a query is stopped by its owner and invisible to others without the right', async () => {
      const query = apl(slow, alice);
      await until(async () => (await runningQueries(alice)).length === 1);
      const [job] = await runningQueries(alice);
      expect(job).toMatchObject({ query: slow });
      expect(await runningQueries(bob)).toEqual([]);
      expect(await world.send('DELETE', `/v1/queries/${job!.id}`, undefined, { token: bob })).toMatchObject({
        status: 404,
      });
      expect(await world.send('DELETE', `/v1/queries/${job!.id}`, undefined, { token: alice })).toMatchObject({
        status: 204,
      });
      expect(await query).toMatchObject({ status: 409, body: { message: 'query cancelled' } });
      expect(await runningQueries()).toEqual([]);
    });

    it('a running query reports the rows it has read', async () => {
      const stop = new AbortController();
      const query = apl(slow, alice, stop.signal).catch(() => undefined);
      await until(async () => ((await runningQueries(alice))[0]?.rowsRead ?? 0) > 0);
      expect((await runningQueries(alice))[0]).toMatchObject({ query: slow });
      stop.abort();
      await query;
      await until(async () => (await runningQueries()).length === 0);
    });

    it('one token has a limit of parallel queries and does not delay others', async () => {
      const stop = new AbortController();
      const greedy = [1, 2, 3].map(() => apl(slow, alice, stop.signal).catch(() => undefined));
      await until(async () => (await runningQueries()).length === 3);
      const refused = await apl('logs | count', alice);
      expect(refused.status).toBe(429);
      expect(refused.body.message).toContain('too many concurrent queries for this token (limit 3)');
      for (const name of [
        'x-querylimit-limit',
        'x-querylimit-remaining',
        'x-querylimit-reset',
        'x-ratelimit-limit',
        'retry-after',
      ])
        expect(refused.headers.get(name), name).toMatch(/^\d+$/);
      expect(refused.headers.get('x-querylimit-remaining')).toBe('0');
      // Two of alice's run, the third waits; bob runs the fewest and is next when one of them ends.
      const start = performance.now();
      const modest = apl('logs | count', bob);
      const [first] = await runningQueries(alice);
      await world.send('DELETE', `/v1/queries/${first!.id}`, undefined, { token: alice });
      expect(await modest).toMatchObject({ status: 200 });
      expect(performance.now() - start).toBeLessThan(4500);
      stop.abort();
      await Promise.all(greedy);
      await until(async () => (await runningQueries()).length === 0);
    });

    it('answers say how many are left', async () => {
      const { headers } = await apl('logs | count', bob);
      expect([headers.get('x-querylimit-limit'), headers.get('x-querylimit-remaining')]).toEqual(['3', '2']);
    });
  });

  it('an estimate comes from the indexes', async () => {
    const estimate = (query: string, more: object = {}) =>
      world.send('POST', '/v1/query/estimate', { apl: query, ...more }, { token: bob });
    expect(await estimate('logs | summarize count() by n')).toMatchObject({
      status: 200,
      body: { rows: 5, bytes: expect.any(Number) as number, datasets: [{ name: 'logs', rows: 5, parts: 1 }] },
    });
    const elsewhere = { startTime: '2020-01-01T00:00:00Z', endTime: '2020-01-02T00:00:00Z' };
    expect((await estimate('logs | summarize count() by n', elsewhere)).body).toMatchObject({ rows: 0, bytes: 0 });
    expect(await estimate('heavy | count')).toMatchObject({ status: 403 });
  });

  describe('history', () => {
    const save = async (token: string, kind: string) => {
      const body = '{"apl":"logs | where n == 9007199254740993"}';
      const { headers } = await world.send('POST', `/v1/datasets/_apl?saveAsKind=${kind}`, body, { token });
      return headers.get('x-axiom-history-query-id') ?? '';
    };
    const read = (id: string, token: string) => world.send('GET', `/v1/datasets/_history/${id}`, undefined, { token });

    it('keeps the last queries of each token, exactly', async () => {
      const first = await save(alice, 'apl');
      const { status, text } = await read(first, alice);
      expect(status).toBe(200);
      expect(text).toContain('"query":{"apl":"logs | where n == 9007199254740993"}');
      await save(bob, 'apl');
      const second = await save(alice, 'apl');
      await save(alice, 'analytics');
      expect([(await read(first, alice)).status, (await read(second, alice)).status]).toEqual([404, 200]);
    });

    it('lists the own ones, newest first, page by page', async () => {
      const list = (search: string, token: string) =>
        world.send<readonly { readonly id: string; readonly kind: string }[]>(
          'GET',
          `/v1/datasets/_history${search}`,
          undefined,
          { token },
        );
      const older = await save(alice, 'apl');
      const newer = await save(alice, 'apl');
      const { body, text } = await list('', alice);
      expect(body.map(({ id }) => id)).toEqual([newer, older]);
      expect(text).toContain('"query":{"apl":"logs | where n == 9007199254740993"}');
      expect((await list(`?limit=1&before=${newer}`, alice)).body.map(({ id }) => id)).toEqual([older]);
      expect((await list('?qs=N%20%3D%3D%2090', alice)).body).toHaveLength(2);
      expect((await list('?qs=somewhere%20else', alice)).body).toEqual([]);
      expect((await list('?kind=analytics', alice)).body).toEqual([]);
      expect((await list('', bob)).body.map(({ id }) => id)).not.toContain(newer);
      expect((await list(`?before=${newer}`, bob)).status).toBe(404);
    });

    it('is returned only on request', async () =>
      expect((await apl('logs', alice)).headers.has('x-axiom-history-query-id')).toBe(false));

    it('as nothing that does not exist', async () => {
      const refusal = async (path: string) => (await world.send('POST', path, { apl: 'logs' })).text;
      const unknown = "query parameter 'saveAsKind' must be one of";
      expect(await refusal('/v1/datasets/_apl?saveAsKind=zz')).toContain(`${unknown} apl, analytics, stream`);
      expect(await refusal('/v1/datasets/logs/query?saveAsKind=apl')).toContain(`${unknown} analytics, stream`);
    });

    it('of structured queries too', async () => {
      const { headers } = await world.send(
        'POST',
        '/v1/datasets/logs/query?saveAsKind=analytics',
        { limit: 3 },
        { token: alice },
      );
      const id = headers.get('x-axiom-history-query-id') ?? '';
      expect((await read(id, alice)).body).toMatchObject({ kind: 'analytics', dataset: 'logs', query: { limit: 3 } });
    });
  });

  it('a range that only begins ends now', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await world.dataset('ahead', [{ n: 1 }, { n: 2, _time: later }]);
    const rows = async (apl: string) =>
      (await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', { apl })).body.tables[0]!.columns;
    expect(await rows('ahead | where _time > ago(1h) | project n')).toEqual([[1]]);
    expect(await rows('ahead | where _time > ago(1h) and _time < now() + 2h | count')).toEqual([[2]]);
    expect(await rows('ahead | count')).toEqual([[2]]);
    // Until now, even without events there.
    const [[series] = []] = await rows(
      'ahead | where _time > ago(1h) and n == 3 | make-series n = count() on _time step 10m',
    );
    expect(series).toHaveLength(6);
  });

  describe('long poll', () => {
    it('waits for an event that matches', async () => {
      await world.dataset('tail', [{ n: 0 }]);
      const started = performance.now();
      const pending = world.send<Legacy>('POST', '/v1/datasets/tail/query?streaming-duration=20s', {
        startTime: 'now-1h',
        endTime: new Date().toISOString(),
        filter: { op: '==', field: 'late', value: 7 },
        order: [{ field: '_time', desc: false }],
      });
      await pause(100);
      await world.ingest('tail', [{ n: 1 }]);
      await pause(300);
      await world.ingest('tail', [{ late: 7 }]);
      const { body } = await pending;
      expect(body.matches.map(({ data }) => data['late'])).toEqual([7]);
      expect(performance.now() - started).toBeGreaterThan(350);
      expect(performance.now() - started).toBeLessThan(5000);
    });

    it('of a range that ends now goes on with the clock', async () => {
      await world.dataset('tail-now', [{ n: 0 }]);
      const pending = world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular&streaming-duration=20s', {
        apl: "['tail-now'] | where _time > ago(1m) and n == 8 | project n",
      });
      await pause(100);
      await world.ingest('tail-now', [{ n: 8 }]);
      const { body } = await pending;
      expect(body.tables[0]!.columns).toEqual([[8]]);
    });

    it('is retried at its end, for events with future times', async () => {
      await world.dataset('soon', [{ n: 0 }]);
      const pending = world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular&streaming-duration=2s', {
        apl: 'soon | where _time > ago(1m) and n == 9 | project n',
      });
      await world.ingest('soon', [{ n: 9, _time: new Date(Date.now() + 1000).toISOString() }]);
      const { body } = await pending;
      expect(body.tables[0]!.columns).toEqual([[9]]);
    });

    it('ends with its time', async () => {
      const started = performance.now();
      const { body } = await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular&streaming-duration=300ms', {
        apl: 'logs | where n > 100',
      });
      expect(body.tables[0]!.columns[0]).toEqual([]);
      expect(performance.now() - started).toBeGreaterThanOrEqual(295);
    });

    it('does not hold what has an answer', async () => {
      const started = performance.now();
      for (const query of ['logs', 'logs | where n > 100 | count'])
        await world.send('POST', '/v1/datasets/_apl?streaming-duration=auto', { apl: query });
      expect(performance.now() - started).toBeLessThan(5000);
      expect(await world.send('POST', '/v1/datasets/_apl?streaming-duration=soon', { apl: 'logs' })).toMatchObject({
        status: 400,
      });
    });
  });

  it('each query of a batch counts once and leaves room for other queries', async () => {
    const gone = new AbortController();
    const ask = (i: number) => ({ queryId: `${i}`, aplRequest: { apl: `${slow} by x = i % ${i + 2}` } });
    const body = Array.from({ length: 20 }, (_, i) => ask(i));
    const batch = world
      .send('POST', '/v1/query/batch?maxConcurrency=20&nocache=true', body, { token: alice, signal: gone.signal })
      .catch(() => undefined);
    await until(async () => (await runningQueries(alice)).filter(({ state }) => state === 'running').length === 2);
    const listed = await runningQueries(alice);
    expect(listed.map(({ query }) => query)).toEqual(body.slice(0, 2).map(({ aplRequest }) => aplRequest.apl));
    expect(listed.map(({ state }) => state)).toEqual(['running', 'running']);
    const third = apl('logs | count', alice);
    await until(async () => (await runningQueries(alice)).length === 3);
    expect((await apl('logs | count', alice)).status).toBe(429);
    expect((await apl('logs | count', bob)).status).toBe(200);
    gone.abort();
    await batch;
    expect((await third).status).toBe(200);
    await until(async () => (await runningQueries(alice)).length === 0);
    // The first batch has released all of its slots.
    const many = Array.from({ length: 12 }, (_, i) => ({ queryId: `${i}`, aplRequest: { apl: `logs | count` } }));
    const { text } = await world.send('POST', '/v1/query/batch?maxConcurrency=20', many, { token: alice });
    expect(text.match(/"status":200,"data":/g)).toHaveLength(12);
    expect(await runningQueries(alice)).toEqual([]);
  });

  it('a batch answers its queries one by one', async () => {
    const { status, headers, text } = await world.send(
      'POST',
      '/v1/query/batch?maxConcurrency=2',
      [
        { queryId: 'good', aplRequest: { apl: 'logs | count' }, mplRequest: null },
        { queryId: 'both', aplRequest: { apl: 'logs | count' }, mplRequest: {} },
        { queryId: 'bad', aplRequest: { apl: 'logs | nonsense' } },
        { queryId: 'closed', aplRequest: { apl: 'secret' } },
        { queryId: 'metrics', mplRequest: {} },
      ],
      { token: bob },
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events = text
      .trimEnd()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace(/^data: /, '')) as { queryId: string; data: unknown });
    expect(events.toSorted((a, b) => (a.queryId < b.queryId ? -1 : 1))).toMatchObject([
      { kind: 'apl', queryId: 'bad', status: 400, data: { code: 400 } },
      { kind: 'apl', queryId: 'both', status: 400 },
      {
        kind: 'apl',
        queryId: 'closed',
        status: 403,
        data: { message: expect.stringContaining('forbidden') as string },
      },
      { kind: 'apl', queryId: 'good', status: 200, data: { format: 'tabular', tables: [{ columns: [[5]] }] } },
      { kind: 'mpl', queryId: 'metrics', status: 400 },
    ]);
    const audited = "['millrace-audit'] | where operation == 'queryBatch' | project outcome, status, code";
    const refusals = async () => (await apl(audited, world.owner)).body.tables[0]!.columns;
    // The audit log is written after the response.
    await until(async () => (await refusals())[0]!.length > 0);
    expect(await refusals()).toEqual([['refused'], [403], ['forbidden']]);
    const twice = [1, 2].map(() => ({ queryId: 'same', aplRequest: { apl: 'logs' } }));
    expect(await world.send('POST', '/v1/query/batch', twice)).toMatchObject({ status: 400 });
  });
});
