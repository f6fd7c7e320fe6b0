import { beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Query features that clients depend on: the properties of every response, legacy queries, the zero
 * values that clients send.
 */

const one = oneServer({});

const minute = 60_000;
const start = Date.UTC(2026, 10, 20, 10);
const at = (minutes: number): string => new Date(start + minutes * minute).toISOString();

/** Six events in two hours: paths a and b in turn, statuses 200, 200, 200, 404, 404, "404". */
const events = Array.from({ length: 6 }, (_, n) => ({
  _time: at(20 * n),
  path: n % 2 === 0 ? '/a' : '/b',
  status: n < 3 ? 200 : n < 5 ? 404 : '404',
  n,
}));
const hours = { startTime: at(0), endTime: at(120) };

let logs = '';
beforeAll(async () => {
  logs = await one.dataset();
  await send(one.server, logs, JSON.stringify(events));
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  request(one.server, path, { body: JSON.stringify(body), headers });
const apl = (query: string, more: object = {}, format = 'tabular') =>
  post(`/v1/datasets/_apl?format=${format}`, { apl: query.replace('logs', `['${logs}']`), ...more });
const queryStructured = (query: object, parameters = '') =>
  post(`/v1/datasets/${logs}/query${parameters}`, { ...hours, resolution: 'auto', ...query });

const keys = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();
const status = {
  elapsedTime: expect.any(Number),
  blocksExamined: expect.any(Number),
  rowsExamined: 6,
  rowsMatched: 6,
  numGroups: expect.any(Number),
  isPartial: false,
  cacheStatus: expect.any(Number),
  minBlockTime: expect.stringMatching(/^\d{4}-/),
  maxBlockTime: expect.stringMatching(/^\d{4}-/),
};

interface Tabular {
  readonly status: { readonly elapsedTime: number; readonly messages?: readonly unknown[] };
  readonly tables: readonly { readonly columns: readonly (readonly unknown[])[]; readonly fields: readonly object[] }[];
}
const tabular = async (query: string, more: object = {}): Promise<Tabular> => {
  const { status, body } = await apl(query, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Tabular;
};

describe('a tabular answer', () => {
  it('has the members that strict clients allow and loose ones need', async () => {
    const { body } = await apl('logs', hours);
    expect(keys(body)).toEqual(['datasetNames', 'fieldsMetaMap', 'format', 'status', 'tables']);
    expect(body).toMatchObject({ format: 'tabular', status, datasetNames: [logs] });
    const { tables } = body as Tabular;
    expect(tables).toHaveLength(1);
    expect(keys(tables[0])).toEqual(['columns', 'fields', 'groups', 'name', 'order', 'range', 'sources']);
    expect(tables[0]).toMatchObject({
      name: '0',
      sources: [{ name: logs }],
      fields: ['_sysTime', '_time', 'n', 'path', 'status'].map((name) => ({ name })),
      order: [{ field: '_time', desc: true }],
      groups: [],
      range: { field: '_time', start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' },
    });
  });

  it('elapsed time is whole microseconds and never 0', async () => {
    const { elapsedTime } = (await tabular('logs')).status;
    expect(Number.isInteger(elapsedTime) && elapsedTime > 0).toBe(true);
  });

  it('without a range sees everything and echoes the epoch', async () => {
    const { tables } = await tabular('logs');
    expect(tables[0]).toMatchObject({ range: { start: '1970-01-01T00:00:00Z' } });
    expect(tables[0]!.columns[0]).toHaveLength(6);
  });

  it('zero rows still have one array for each field', async () => {
    const { tables } = await tabular('logs', { startTime: 'now-1m', endTime: 'now' });
    expect(tables[0]!.columns).toEqual(tables[0]!.fields.map(() => []));
  });

  it('an aggregation over no rows has one array for each field', async () => {
    const { tables } = await tabular('logs | summarize count() by path', { startTime: 'now-1m', endTime: 'now' });
    expect(tables[0]).toMatchObject({ columns: [[], []], groups: [{ name: 'path' }] });
  });

  it('an empty dataset answers', async () => {
    const empty = await one.dataset();
    const { body } = await post('/v1/datasets/_apl?format=tabular', { apl: `['${empty}']` });
    expect(body).toMatchObject({ status: { rowsExamined: 0, rowsMatched: 0 } });
  });

  it('time bins: buckets, widened range, groups that are not empty, a second table of totals', async () => {
    const { tables } = await tabular('logs | summarize count() by bin(_time, 1h), path', {
      startTime: at(1),
      endTime: at(119),
    });
    const groups = [{ name: '_time' }, { name: 'path' }];
    const count = { name: 'count_', agg: { name: 'count' } };
    expect(tables).toMatchObject([
      {
        name: '0',
        groups,
        fields: [{ name: '_time', type: 'datetime' }, { name: 'path' }, count],
        order: [
          { field: '_time', desc: false },
          { field: 'count_', desc: true },
        ],
        range: { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' },
        buckets: { field: '_time', size: 3_600_000_000_000 },
      },
      { name: '_totals', groups: groups.slice(1), order: [{ field: 'count_', desc: true }] },
    ]);
    expect(keys(tables[1])).not.toContain('buckets');
    expect(tables[1]!.columns).toEqual([
      ['/b', '/a'],
      [3, 2],
    ]);
  });

  it('sort without a direction is newest first', async () => {
    expect((await tabular('logs | sort by _time | project n')).tables[0]!.columns).toEqual([[5, 4, 3, 2, 1, 0]]);
  });

  it('a clause that is always true is exactly one warning', async () => {
    expect((await tabular('logs | where true')).status.messages).toEqual([
      {
        priority: 'warn',
        code: 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1',
        count: 1,
        msg: 'where clause always evaluates to TRUE, which will include all data',
      },
    ]);
  });

  it('a limit that cut nothing is not mentioned, one that did is', async () => {
    expect((await tabular('logs')).status.messages ?? []).toEqual([]);
    const cut = await tabular('logs', { defaultLimit: 2 });
    expect(cut.status).toMatchObject({ rowsMatched: 6, messages: [{ code: 'default_limit_warning' }] });
    expect(cut.tables[0]!.columns[0]).toHaveLength(2);
  });

  it.each([
    ['both paths', '/v1/query/_apl?format=tabular'],
    ['booleans as Python writes them', '/v1/datasets/_apl?format=tabular&nocache=True'],
    ['booleans as numbers', '/v1/datasets/_apl?format=tabular&nocache=1'],
    ['parameters that nobody knows', '/v1/datasets/_apl?format=tabular&request=x&apl-source=dashboard&totals=true'],
  ])('%s', async (_, path) => {
    expect(await post(path, { apl: `['${logs}'] | count` })).toMatchObject({ status: 200 });
  });

  it('members that are null are members left out', async () => {
    const nulls = { startTime: null, endTime: null, cursor: null, includeCursor: null, variables: null };
    expect((await tabular('logs', { ...nulls, queryOptions: null })).tables[0]!.columns[0]).toHaveLength(6);
  });

  it('zero values of Go are members left out', async () => {
    const zero = { startTime: '0001-01-01T00:00:00Z', endTime: '0001-01-01T00:00:00Z', cursor: '' };
    expect((await tabular('logs', zero)).tables[0]!.columns[0]).toHaveLength(6);
  });

  it('one JSON array a row', async () => {
    const answer = await fetch(`${one.server.url}/v1/query/_apl?format=tabular-rows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.server.token}` },
      body: JSON.stringify({ apl: `['${logs}'] | sort by n asc | project n, path | take 2` }),
    });
    expect((await answer.text()).trim().split('\n')).toEqual(['[0,"/a"]', '[1,"/b"]']);
  });
});

describe('a legacy answer', () => {
  it('of APL echoes the request and names the events', async () => {
    const { body } = await apl('logs', hours, 'legacy');
    expect(keys(body)).toEqual(['buckets', 'datasetNames', 'fieldsMetaMap', 'format', 'matches', 'request', 'status']);
    expect(body).toMatchObject({
      format: 'legacy',
      status,
      request: { resolution: 'auto' },
      buckets: { series: [], totals: [] },
    });
    const { matches } = body as { matches: readonly { readonly _time: string }[] };
    expect(matches).toHaveLength(6);
    expect(matches[0]).toEqual({
      _time: '2026-11-20T11:40:00Z',
      _sysTime: expect.stringMatching(/Z$/),
      _rowId: expect.stringMatching(/./),
      data: { n: 5, path: '/b', status: '404' },
    });
  });

  it('is the default of the endpoint', async () => {
    expect((await post('/v1/datasets/_apl', { apl: `['${logs}']` })).body).toMatchObject({ format: 'legacy' });
  });

  it('of a structured query has no other members than strict clients allow', async () => {
    const { body } = await queryStructured({});
    expect(keys(body).filter((key) => key !== 'fieldsMeta')).toEqual(['buckets', 'format', 'matches', 'status']);
    expect(body).toMatchObject({ status, matches: events.map(() => ({})), buckets: { series: [], totals: [] } });
  });

  it('calls aggregations by their alias, else by their operation in capitals', async () => {
    const { body } = await queryStructured({
      aggregations: [
        { op: 'count', field: '*', alias: 'event_count' },
        { op: 'max', field: 'n' },
      ],
    });
    expect(body).toMatchObject({
      matches: [],
      buckets: {
        totals: [
          {
            group: {},
            aggregations: [
              { op: 'event_count', value: 6 },
              { op: 'MAX', value: 5 },
            ],
          },
        ],
      },
    });
    const { series } = (body as { buckets: { series: readonly object[] } }).buckets;
    expect(keys(series[0])).toEqual(['endTime', 'groups', 'startTime']);
  });

  it('groups by virtual fields over values of several types, and ignores children of a test', async () => {
    const { body } = await queryStructured({
      aggregations: [{ op: 'count', field: '*', alias: 'event_count' }],
      groupBy: ['success', 'path'],
      filter: { op: 'exists', field: 'status', children: [{ op: 'contains', field: 'path', value: 'nowhere' }] },
      order: [
        { field: 'success', desc: true },
        { field: 'path', desc: false },
      ],
      virtualFields: [{ alias: 'success', expr: 'toint(status) < 400' }],
      project: [{ field: 'path', alias: 'p' }],
    });
    expect(body).toMatchObject({ status: { rowsExamined: 6, rowsMatched: 6 } });
    const { totals } = (
      body as { buckets: { totals: readonly { id: number; group: object; aggregations: object[] }[] } }
    ).buckets;
    expect(totals.map(({ group, aggregations }) => [group, aggregations])).toEqual([
      [{ success: true, path: '/a' }, [{ op: 'event_count', value: 2 }]],
      [{ success: true, path: '/b' }, [{ op: 'event_count', value: 1 }]],
      [{ success: false, path: '/a' }, [{ op: 'event_count', value: 1 }]],
      [{ success: false, path: '/b' }, [{ op: 'event_count', value: 2 }]],
    ]);
    expect(totals.every(({ id }) => Number.isSafeInteger(id) && id >= 0)).toBe(true);
  });

  const filters: readonly (readonly [string, object | null, number])[] = [
    ['none, as Python says it', null, 6],
    ['none, as Go says it', { op: '', field: '', value: null, caseSensitive: false, children: null }, 6],
    ['==', { op: '==', field: 'path', value: '/a' }, 3],
    ['eq is ==', { op: 'eq', field: 'path', value: '/a' }, 3],
    ['!=', { op: '!=', field: 'path', value: '/a' }, 3],
    ['>', { op: '>', field: 'n', value: 3 }, 2],
    ['gte is >=', { op: 'gte', field: 'n', value: 3 }, 3],
    ['exists', { op: 'exists', field: 'path' }, 6],
    ['not-exists', { op: 'not-exists', field: 'path' }, 0],
    ['starts-with does not mind case', { op: 'starts-with', field: 'path', value: '/A' }, 3],
    ['unless told', { op: 'starts-with', field: 'path', value: '/A', caseSensitive: true }, 0],
    ['not-contains', { op: 'not-contains', field: 'path', value: 'a' }, 3],
    ['regexp', { op: 'regexp', field: 'path', value: '^/[ab]$' }, 6],
    [
      'and',
      {
        op: 'and',
        children: [
          { op: '>', field: 'n', value: 1 },
          { op: '<', field: 'n', value: 4 },
        ],
      },
      2,
    ],
    [
      'or',
      {
        op: 'or',
        children: [
          { op: '==', field: 'n', value: 1 },
          { op: '==', field: 'n', value: 4 },
        ],
      },
      2,
    ],
    ['not', { op: 'not', children: [{ op: '==', field: 'n', value: 1 }] }, 5],
  ];
  it.each(filters)('filter: %s', async (_, filter, rowsMatched) => {
    expect((await queryStructured({ filter })).body).toMatchObject({ status: { rowsMatched } });
  });

  it.each([
    [
      'everything unset, as Go writes it',
      {
        aggregations: null,
        groupBy: null,
        order: null,
        limit: 0,
        virtualFields: null,
        project: null,
        cursor: '',
        includeCursor: false,
      },
      6,
    ],
    ['a limit', { limit: 2 }, 2],
    ['a resolution as a Go duration', { resolution: '1m30s' }, 6],
    ['a range of which only part fits', { endTime: at(40) }, 3],
  ] as const)('request: %s', async (_, query, matches) => {
    const { status, body } = await queryStructured(query);
    expect(status, JSON.stringify(body)).toBe(200);
    expect((body as { matches: readonly unknown[] }).matches).toHaveLength(matches);
  });

  it('saves the query in the history on request, and ends the request without delay', async () => {
    const { status, headers } = await queryStructured({}, '?saveAsKind=analytics&nocache=True&streaming-duration=60s');
    expect(status).toBe(200);
    expect(headers.get('x-axiom-history-query-id')).toMatch(/./);
  });
});

describe('a query that is wrong', () => {
  it.each([
    ['a syntax error', 'logs | where', 400],
    ['an unknown function', 'logs | extend a = nonsense(1)', 400],
    ['an unknown dataset', "['nowhere-at-all']", 400],
  ])('%s', async (_, query, expected) => {
    const { status, headers, body } = await apl(query);
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({ code: expected, message: expect.stringMatching(/./) });
  });

  it('says where', async () => {
    const { body } = await apl('logs | where status ===== 2');
    expect(body).toMatchObject({
      detail: { message: expect.stringMatching(/./), line: 1, column: expect.any(Number) },
    });
  });
});
