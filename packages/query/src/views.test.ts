import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer, Legacy, Tabular } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** Queries by another name: views and virtual fields. */

const time = (second: number): string => `2026-05-01T00:00:0${second}Z`;

describe('views and virtual fields', () => {
  let world: EngineTestServer;
  /** May query only the view `open`. */
  let viewer: string;
  /** May query only the dataset `logs`. */
  let reader: string;
  beforeAll(async () => {
    world = await sharedTestServer();
    await world.dataset('logs', [{ n: 5, _time: time(0) }]);
    await world.dataset('secret', [
      { n: 1, tag: 'open', _time: time(1) },
      { n: 2, tag: 'closed', _time: time(2) },
      { n: 3, tag: 'open', _time: time(3) },
    ]);
    await world.send('POST', '/v2/views', { name: 'open', aplQuery: "secret | where tag == 'open'" });
    viewer = await world.token({ viewCapabilities: { open: { query: ['read'] } } });
    reader = await world.token({ datasetCapabilities: { logs: { query: ['read'] } } });
  });
  afterAll(() => world.close());

  const queryStructured = (name: string, token: string, body: object = {}) =>
    world.send<Legacy & { message: string; fieldsMeta: unknown }>('POST', `/v1/datasets/${name}/query`, body, {
      token,
    });

  it('a deletion from a view is rejected, and the error says that it needs a dataset', async () => {
    const remove = (apl: string) => world.send<{ message: string }>('POST', '/v2/datasets/_apl/delete', { apl });
    const answers = [await remove('open'), await remove('nowhere')];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [400, expect.stringContaining("'open' is a view; a deletion takes one dataset")],
      [404, expect.stringContaining("dataset 'nowhere' not found")],
    ]);
  });

  describe('a right on a view alone', () => {
    it('queries it with a structured query', async () => {
      const { status, body } = await queryStructured('open', viewer);
      expect(status).toBe(200);
      expect(body.matches.map(({ data }) => data)).toEqual([
        { n: 3, tag: 'open' },
        { n: 1, tag: 'open' },
      ]);
      expect(body).toMatchObject({ status: { rowsMatched: 2, rowsExamined: 3 }, fieldsMeta: [] });
      const sums = await queryStructured('open', viewer, {
        aggregations: [{ op: 'sum', field: 'n' }],
        filter: { op: '>', field: 'n', value: 1 },
      });
      expect(sums.body.buckets.totals[0]?.aggregations).toEqual([{ op: 'SUM', value: 3 }]);
    });

    it('and pages through it', async () => {
      const first = await queryStructured('open', viewer, { limit: 1 });
      const next = await queryStructured('open', viewer, { limit: 1, cursor: first.body.status.minCursor });
      expect([first, next].map(({ body }) => body.matches[0]?.data['n'])).toEqual([3, 1]);
    });

    const ways: readonly (readonly [
      string,
      (name: string, token: string) => Promise<{ status: number; text: string }>,
    ])[] = [
      ['structured', (name, token) => queryStructured(name, token)],
      ['apl', (name, token) => world.send('POST', '/v1/datasets/_apl?format=tabular', { apl: name }, { token })],
      ['edge', (name, token) => world.send('POST', '/v1/query/_apl?format=tabular-rows', { apl: name }, { token })],
      ['estimate', (name, token) => world.send('POST', '/v1/query/estimate', { apl: name }, { token })],
      ['export by GET', (name, token) => world.send('GET', `/v1/export?apl=${name}`, undefined, { token })],
      ['export by POST', (name, token) => world.send('POST', '/v1/export', { apl: name }, { token })],
      [
        'batch',
        async (name, token) => {
          const { text } = await world.send('POST', '/v1/query/batch', [{ queryId: 'a', aplRequest: { apl: name } }], {
            token,
          });
          return JSON.parse(text.replace(/^data: /, '')) as { status: number; text: string };
        },
      ],
    ];
    it.each(ways)('%s: permits only the view, no dataset', async (_, ask) => {
      expect((await ask('open', viewer)).status).toBe(200);
      const refused = await Promise.all([ask('secret', viewer), ask('logs', viewer), ask('open', reader)]);
      for (const { status, text } of refused) {
        expect([400, 403]).toContain(status);
        expect(text ?? '').not.toContain('closed');
      }
    });

    it('shows nothing of the datasets behind it', async () => {
      const both = await world.token({
        datasetCapabilities: { logs: { query: ['read'] } },
        viewCapabilities: { open: { query: ['read'] } },
      });
      const ask = (apl: string) => world.send('POST', '/v1/datasets/_apl?format=tabular', { apl }, { token: both });
      expect((await ask('open | project n')).body).toMatchObject({
        datasetNames: [],
        fieldsMetaMap: {},
        tables: [{ columns: [[3, 1]] }],
      });
      expect((await ask('union withsource=s *')).text).not.toContain('closed');
      expect((await ask('secret')).status).toBe(403);
    });

    it('opens the routes beside queries', async () => {
      const { headers } = await world.send(
        'POST',
        '/v1/datasets/open/query?saveAsKind=analytics',
        {},
        { token: viewer },
      );
      const id = headers.get('x-axiom-history-query-id') ?? '';
      expect(await world.send('GET', `/v1/datasets/_history/${id}`, undefined, { token: viewer })).toMatchObject({
        status: 200,
        body: { dataset: 'open' },
      });
      expect((await world.send('GET', '/v1/queries', undefined, { token: viewer })).status).toBe(200);
    });
  });

  it('the history of queries is a table of the own ones', async () => {
    const apl = 'logs | where n == 9007199254740993';
    for (const token of [reader, viewer])
      await world.send('POST', '/v1/datasets/_apl?saveAsKind=apl', { apl }, { token });
    await world.send('POST', '/v1/datasets/logs/query?saveAsKind=analytics', {}, { token: reader });
    const ask = async (query: string, token: string) => {
      const body = { apl: query, startTime: 'now-1h', endTime: 'now' };
      return (await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', body, { token })).body;
    };
    const shown = '| sort by _time desc | project dataset, ["query.apl"], kind, _time == created';
    expect((await ask(`["axiom-history"] ${shown}`, reader)).tables[0]!.columns).toEqual([
      ['logs', 'logs'],
      [null, apl],
      ['analytics', 'apl'],
      [true, true],
    ]);
    const counted = "['axiom-history'] | where _time > ago(1h) and kind == 'apl' | summarize count() by query.apl";
    expect((await ask(counted, reader)).tables[0]!.columns).toEqual([[apl], [1]]);
    expect((await ask(`['axiom-history'] | where query.apl == '${apl}' | count`, viewer)).tables[0]!.columns).toEqual([
      [0],
    ]);
  });

  it('an unknown name is not found; without the right it is forbidden', async () => {
    expect(await queryStructured('nosuch', world.owner)).toMatchObject({ status: 404 });
    expect(await queryStructured('nosuch', viewer)).toMatchObject({ status: 403 });
    const anyView = await world.token({ viewCapabilities: { '*': { query: ['read'] } } });
    expect(await queryStructured('secret', anyView)).toMatchObject({ status: 403 });
    expect(await queryStructured('nosuch', anyView)).toMatchObject({ status: 404 });
  });

  it('a view that does not compile is refused, with the place', async () => {
    const { status, body } = await world.send<{ message: string }>('POST', '/v2/views', {
      name: 'bad',
      aplQuery: 'logs\n| wher n > 1',
    });
    expect(status).toBe(400);
    expect(body.message).toContain('line 2, column 3');
  });

  it('a user cannot create a view of a forbidden dataset', async () => {
    const token = await world.token({
      orgCapabilities: { views: ['create'] },
      datasetCapabilities: { logs: { query: ['read'] } },
    });
    expect(await world.send('POST', '/v2/views', { name: 'stolen', aplQuery: 'secret' }, { token })).toMatchObject({
      status: 403,
    });
  });

  it.each([
    ['as its source', 'secret'],
    ['in a union', 'logs | union secret'],
    ['in a join', 'logs | join (secret) on n'],
    ['in a list', 'logs | where n in ((secret | project n))'],
  ])('a query that names a dataset it may not read, %s, is forbidden and says which right it lacks', async (_, apl) => {
    const token = await world.token({ datasetCapabilities: { logs: { query: ['read'] } } });
    expect(await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl }, { token })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("query:read on 'secret'") },
    });
  });

  it('a column is not taken for a dataset that it may not read', async () => {
    const apl = 'logs | where secret.n == 1';
    const { status, body } = await world.send<Tabular>(
      'POST',
      '/v1/datasets/_apl?format=tabular',
      { apl },
      { token: reader },
    );
    expect([status, body.status.messages.map(({ code }) => code)]).toEqual([200, ['missing_column']]);
  });

  it('no view uses itself, not even through others', async () => {
    const made = await world.send<{ id: string }>('POST', '/v2/views', { name: 'first', aplQuery: 'logs' });
    await world.send('POST', '/v2/views', { name: 'second', aplQuery: 'first | where n > 0' });
    const become = (aplQuery: string) => world.send('PUT', `/v2/views/${made.body.id}`, { name: 'first', aplQuery });
    for (const aplQuery of ['first', 'second', 'logs | union second']) {
      expect(await become(aplQuery)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('does it refer to itself?') },
      });
    }
    expect(await become('logs | where n > 1')).toMatchObject({ status: 200 });
    expect((await world.apl('second | project n')).tables[0]!.columns[0]).not.toEqual([]);
  });

  describe('a virtual field', () => {
    it('is like a field in both endpoints', async () => {
      await world.dataset('both', [{ n: 4 }, { n: 1 }]);
      await world.send('POST', '/v2/vfields', { dataset: 'both', name: 'twice', expression: 'n * 2' });
      expect((await world.apl('both | where twice == 8 | project n')).tables[0]!.columns).toEqual([[4]]);
      const { buckets } = await world.query('both', { aggregations: [{ op: 'max', field: 'twice' }], groupBy: [] });
      expect(buckets.totals[0]?.aggregations).toEqual([{ op: 'MAX', value: 8 }]);
    });

    const bad: readonly (readonly [string, string, string])[] = [
      ['that cannot be read', 'n +', 'line 1, column'],
      ['on the second line', 'n +\n  nonsense(n)', 'line 2, column 3'],
      ['of a function with too few arguments', 'strcat_delim()', 'line 1, column 1'],
      ['that aggregates', 'count()', 'line 1, column 1'],
    ];
    it.each(bad)('%s is refused with the place', async (_, expression, place) => {
      const { status, body } = await world.send<{ message: string; detail: object }>('POST', '/v2/vfields', {
        dataset: 'logs',
        name: 'bad',
        expression,
      });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(place) as string, detail: { line: expect.any(Number) as number } },
      });
    });

    it('may read fields that no event has had', async () =>
      expect(
        await world.send('POST', '/v2/vfields', { dataset: 'logs', name: 'early', expression: 'a + b' }),
      ).toMatchObject({ status: 200 }));

    it('is checked when it is replaced; the old one stays', async () => {
      const made = await world.send<{ id: string }>('POST', '/v2/vfields', {
        dataset: 'logs',
        name: 'kept',
        expression: 'n * 2',
      });
      const path = `/v2/vfields/${made.body.id}`;
      const replace = (expression: string) => world.send('PUT', path, { dataset: 'logs', name: 'kept', expression });
      expect(await replace('n *')).toMatchObject({ status: 400 });
      expect((await world.send('GET', path)).body).toMatchObject({ expression: 'n * 2' });
      expect(await replace('n * 3')).toMatchObject({ status: 200 });
      expect((await world.apl('logs | project kept')).tables[0]!.columns).toEqual([[15]]);
    });

    it('that events made wrong is left out, with a message; the others and the events stay', async () => {
      await world.dataset('turned', [{ x: 1, _time: time(1) }]);
      for (const [name, expression] of [
        ['sum', 'a + b'],
        ['twice', 'x * 2'],
      ])
        await world.send('POST', '/v2/vfields', { dataset: 'turned', name, expression });
      await world.ingest('turned', [{ a: 'text', b: true, _time: time(2) }]);
      const { status, tables } = await world.apl('turned | project x, twice, sum');
      expect(tables[0]!.columns).toEqual([
        [null, 1],
        [null, 2],
        [null, null],
      ]);
      expect(status.messages).toContainEqual({
        priority: 'warn',
        code: 'virtual_field_finalize_error',
        count: 1,
        msg: expect.stringContaining('the virtual field sum is left out: argument 1 of +') as string,
      });
    });

    describe('computed from a dataset that a reader may not read', () => {
      const ask = (apl: string) =>
        world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', { apl }, { token: reader });
      const field = { dataset: 'logs', name: 'known', expression: 'n in ((secret | project n))' };
      let id: string;
      beforeAll(async () => {
        id = (await world.send<{ id: string }>('POST', '/v2/vfields', field)).body.id;
      });
      afterAll(() => world.send('DELETE', `/v2/vfields/${id}`));

      it('omits it for users without the right, with a message', async () => {
        for (let i = 0; i < 2; i++) {
          const { status, body } = await ask('logs | project n, known');
          expect([status, body.tables[0]?.columns]).toEqual([200, [[5], [null]]]);
          expect(body.status.messages).toContainEqual(
            expect.objectContaining({ code: 'virtual_field_finalize_error' }),
          );
          expect((await world.apl('logs | project known')).tables[0]!.columns).toEqual([[false]]);
        }
        expect((await queryStructured('logs', reader)).status).toBe(200);
      });

      it('does not open that dataset by way of a view', async () => {
        const token = await world.token({
          orgCapabilities: { views: ['create'] },
          datasetCapabilities: { logs: { query: ['read'], virtualFields: ['create'] } },
        });
        // Still stored, as it would be before the field existed: its result depends on the reader's
        // permissions.
        expect((await world.send('POST', '/v2/views', { name: 'way', aplQuery: 'logs' }, { token })).status).toBe(200);
        const reading = { token: await world.token({ viewCapabilities: { way: { query: ['read'] } } }) };
        const path = '/v1/datasets/_apl?format=tabular';
        const { body } = await world.send<Tabular>('POST', path, { apl: 'way | project known' }, reading);
        expect(body.tables[0]?.columns).toEqual([[null]]);
        const own = { dataset: 'logs', name: 'own', expression: 'n + 1' };
        expect((await world.send('POST', '/v2/vfields', own, { token })).status).toBe(200);
      });
    });

    it('reveals nothing of a dataset to users without the query right', async () => {
      const token = await world.token({ datasetCapabilities: { secret: { virtualFields: ['create'] } } });
      const create = (expression: string) =>
        world.send<{ message: string }>('POST', '/v2/vfields', { dataset: 'secret', name: 'x', expression }, { token });
      // With permission this is rejected, because `tag` is a string.
      expect(await create('tag * 2')).toMatchObject({ status: 200 });
    });
  });

  it('that takes the name of what it reads is refused because of the name', async () => {
    const takenReply = (kind: string, name: string) => ({
      status: 409,
      body: { message: `${kind} '${name}' already exists` },
    });
    const view = (name: string) => ({ name, aplQuery: `['${name}'] | where n > 0` });
    expect(await world.send('POST', '/v2/views', view('logs'))).toMatchObject(takenReply('dataset', 'logs'));
    expect(await world.send('POST', '/v2/views', view('open'))).toMatchObject(takenReply('view', 'open'));
    const { id } = (await world.send<{ id: string }>('POST', '/v2/views', { ...view('logs'), name: 'mine' })).body;
    expect(await world.send('PUT', `/v2/views/${id}`, view('logs'))).toMatchObject(takenReply('dataset', 'logs'));
    expect(await world.send('PUT', `/v2/views/${id}`, { ...view('logs'), name: 'mine' })).toMatchObject({
      status: 200,
    });
    expect(await world.send('PUT', '/v2/views/none', view('logs'))).toMatchObject({ status: 404 });
  });

  describe('changes are seen by the next query', () => {
    const values = async (apl: string): Promise<unknown> => {
      const { status, body } = await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', { apl });
      return status === 200 ? body.tables[0]!.columns[0] : status;
    };

    it('of views', async () => {
      await world.dataset('base', [{ n: 1 }, { n: 2 }]);
      const view = (aplQuery: string) => ({ name: 'moving', aplQuery });
      expect(await values('moving | count')).toBe(400);
      const { body } = await world.send<{ id: string }>('POST', '/v2/views', view('base'));
      for (let i = 0; i < 2; i++) expect(await values('moving | count')).toEqual([2]);
      await world.send('PUT', `/v2/views/${body.id}`, view('base | where n > 1'));
      for (let i = 0; i < 2; i++) expect(await values('moving | count')).toEqual([1]);
      await world.send('DELETE', `/v2/views/${body.id}`);
      expect(await values('moving | count')).toBe(400);
    });

    it('of virtual fields', async () => {
      const field = (expression: string) => ({ dataset: 'base', name: 'v', expression });
      const { body } = await world.send<{ id: string }>('POST', '/v2/vfields', field('n * 10'));
      for (let i = 0; i < 2; i++) expect(await values('base | summarize sum(v)')).toEqual([30]);
      await world.send('PUT', `/v2/vfields/${body.id}`, field('n * 100'));
      for (let i = 0; i < 2; i++) expect(await values('base | summarize sum(v)')).toEqual([300]);
      await world.send('DELETE', `/v2/vfields/${body.id}`);
      expect(await values('base | where isnull(v) | count')).toEqual([2]);
    });

    it('a re-created dataset of the same name starts without the old values', async () => {
      await world.dataset('again', [{ n: 1 }]);
      await world.send('POST', '/v2/vfields', { dataset: 'again', name: 'v', expression: 'n * 10' });
      expect(await values('again | summarize sum(v)')).toEqual([10]);
      await world.send('DELETE', '/v2/datasets/again');
      await world.dataset('again', [{ n: 1 }]);
      expect(await values('again | where isnull(v) | count')).toEqual([1]);
    });
  });
});
