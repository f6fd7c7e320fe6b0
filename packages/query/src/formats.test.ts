import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LegacyAnswer, StructuredAnswer, TabularAnswer } from '@millrace/api/schemas/query-results';
import type { EngineTestServer, Legacy, Tabular } from '@millrace/server/testing/engine-test-server';
import { openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/** The exact shapes of results, on a real engine. Differences from a schema: */
const differences = (schema: TSchema, answer: unknown): readonly string[] =>
  Value.Errors(schema, answer).map(({ instancePath, message }) => `${instancePath} ${message}`);

const day = '2026-05-01T';
const range = { startTime: `${day}10:00:00Z`, endTime: `${day}11:00:00Z` };
const logs = [
  { _time: `${day}10:00:00.000000001Z`, ip: 'a', code: 200, ms: 1.5, tags: ['x', { y: 1 }] },
  { _time: `${day}10:00:30Z`, ip: 'b', code: '304', ms: 2.25, 'odd "name"': 'q"\\/\n\u{1F600}' },
  { _time: `${day}10:01:00Z`, ip: 'a', code: 200, ok: true },
  { _time: `${day}10:02:30.5Z`, ip: null, code: 500, ok: false },
];

describe('answers', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer();
    await world.dataset('logs', logs);
    for (const name of ['empty', 'big']) await world.dataset(name);
    await world.send('POST', '/v1/datasets/big/ingest', '{"id":9007199254740993,"_time":"2026-05-01T10:00:00Z"}');
  });
  afterAll(() => world.close());

  const tabular = async (apl: string, more: object = range): Promise<Tabular> => {
    const answer = await world.apl<Tabular>(apl, more);
    expect(differences(TabularAnswer, answer)).toEqual([]);
    for (const { fields, columns } of answer.tables) {
      expect(columns).toHaveLength(fields.length);
      for (const column of columns) expect(column).toHaveLength(columns[0]!.length);
    }
    return answer;
  };
  const legacy = async (apl: string, more: object = range): Promise<Legacy> => {
    const answer = await world.apl<Legacy>(apl, more, 'legacy');
    expect(differences(LegacyAnswer, answer)).toEqual([]);
    return answer;
  };
  const legacyQuery = async (dataset: string, body: object): Promise<Legacy> => {
    const answer = await world.query(dataset, { ...range, ...body });
    expect(differences(StructuredAnswer, answer)).toEqual([]);
    return answer;
  };

  describe('tabular', () => {
    it('events: system fields first, the others by name, newest first', async () => {
      const { tables, status } = await tabular('logs');
      expect(tables).toEqual([
        {
          name: '0',
          sources: [{ name: 'logs' }],
          fields: [
            { name: '_sysTime', type: 'datetime' },
            { name: '_time', type: 'datetime' },
            { name: 'code', type: 'integer|string' },
            { name: 'ip', type: 'string' },
            { name: 'ms', type: 'float' },
            { name: 'odd "name"', type: 'string' },
            { name: 'ok', type: 'boolean' },
            { name: 'tags', type: 'array' },
          ],
          order: [{ field: '_time', desc: true }],
          groups: [],
          range: { field: '_time', start: range.startTime, end: range.endTime },
          columns: [
            expect.any(Array),
            [`${day}10:02:30.5Z`, `${day}10:01:00Z`, `${day}10:00:30Z`, `${day}10:00:00.000000001Z`],
            [500, 200, '304', 200],
            [null, 'a', 'b', 'a'],
            [null, null, 2.25, 1.5],
            [null, null, 'q"\\/\n\u{1F600}', null],
            [false, true, null, null],
            [null, null, null, ['x', { y: 1 }]],
          ],
        },
      ]);
      expect(status).toMatchObject({
        rowsExamined: 4,
        rowsMatched: 4,
        numGroups: 0,
        isPartial: false,
        cacheStatus: 1,
        minBlockTime: `${day}10:00:00.000000001Z`,
        maxBlockTime: `${day}10:02:30.5Z`,
        messages: [],
      });
    });

    it('of several datasets the times of all their events, and of no others', async () => {
      const times = { minBlockTime: `${day}10:00:00.000000001Z`, maxBlockTime: `${day}10:02:30.5Z` };
      for (const apl of [
        'union logs, empty',
        'union logs, logs | where code == 500',
        'logs | join kind=leftouter empty on code',
      ]) {
        const { status } = await tabular(apl);
        expect(status, apl).toMatchObject({ rowsExamined: apl.includes('logs, logs') ? 8 : 4, ...times });
      }
    });

    it('no rows: one empty array a field', async () => {
      const events = await tabular('logs | where ip == "zzz"');
      expect(events.tables[0]!.columns).toEqual(Array.from({ length: 8 }, () => []));
      expect((await tabular('empty', {})).tables[0]!.columns).toEqual([[], []]);
      expect((await tabular('empty | summarize count()', {})).tables[0]!.columns).toEqual([[0]]);
      expect((await tabular('empty | summarize count() by bin(_time, 1m)', {})).tables[0]!.columns).toEqual([[], []]);
    });

    it('aggregation: groups, aggregates, topk cells', async () => {
      const [table] = (await tabular('logs | summarize count(), n = dcount(code), topk(ip, 1) by ip')).tables;
      expect(table).toMatchObject({
        groups: [{ name: 'ip' }],
        order: [{ field: 'count_', desc: true }],
        fields: [
          { name: 'ip', type: 'string' },
          { name: 'count_', type: 'integer', agg: { name: 'count' } },
          { name: 'n', type: 'integer', agg: { name: 'distinct', fields: ['code'] } },
          { name: 'topk_ip', type: 'array', agg: { name: 'topk', fields: ['ip'], args: [1] } },
        ],
      });
      expect(table!.columns[3]![0]).toEqual([{ key: 'a', count: 2, error: 0 }]);
    });

    it('computed aggregates, and more than one on an expression', async () => {
      const [table] = (await tabular('logs | summarize p = 100.0 * countif(code == 200) / count()')).tables;
      expect(table).toMatchObject({
        fields: [{ name: 'p', type: 'float', agg: { name: 'computed' } }],
        columns: [[50]],
      });
    });

    it('time series: buckets, widened range, totals without time', async () => {
      const { tables } = await tabular('logs | summarize count() by bin(_time, 1m), ip', {
        startTime: `${day}10:00:10Z`,
        endTime: `${day}10:02:40Z`,
      });
      expect(tables).toMatchObject([
        {
          name: '0',
          groups: [{ name: '_time' }, { name: 'ip' }],
          order: [
            { field: '_time', desc: false },
            { field: 'count_', desc: true },
          ],
          buckets: { field: '_time', size: 60_000_000_000 },
          range: { field: '_time', start: `${day}10:00:00Z`, end: `${day}10:03:00Z` },
          columns: [
            [`${day}10:00:00Z`, `${day}10:01:00Z`, `${day}10:02:00Z`],
            ['b', 'a', null],
            [1, 1, 1],
          ],
        },
        { name: '_totals', groups: [{ name: 'ip' }], order: [{ field: 'count_', desc: true }] },
      ]);
      expect(tables[1]).not.toHaveProperty('buckets');
    });

    it('without bounds: from the epoch to now', async () => {
      const before = Date.now();
      const [table] = (await tabular('logs', {})).tables as unknown as readonly {
        range: { start: string; end: string };
      }[];
      expect(table!.range.start).toBe('1970-01-01T00:00:00Z');
      expect(Date.parse(table!.range.end)).toBeGreaterThanOrEqual(before - 1);
      expect(Date.parse(table!.range.end)).toBeLessThanOrEqual(Date.now() + 1);
      await tabular('logs | summarize count() by bin_auto(_time)', {});
    });

    it('64-bit integers as they are', async () => {
      const text = async (apl: string, format: string) =>
        (await world.send('POST', `/v1/datasets/_apl?format=${format}`, { apl })).text;
      expect(await text('big | project id', 'tabular')).toContain('"columns":[[9007199254740993]]');
      expect(await text('big | summarize max(id)', 'tabular')).toContain('[[9007199254740993]]');
      expect(await text('big', 'legacy')).toContain('"id":9007199254740993');
      expect(await text('big | summarize max(id) by id', 'legacy')).toMatch(
        /"id":9007199254740993}.*"value":9007199254740993/,
      );
      expect(await text('big | project id', 'tabular-rows')).toBe('[9007199254740993]\n');
      const body =
        '{"apl":"declare query_parameters (x:long); big | where id == x","variables":{"x":9007199254740993}}';
      expect(
        (await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', body)).body.status.rowsMatched,
      ).toBe(1);
    });

    it('returns _cursor on request', async () => {
      const { tables, status } = await tabular('logs | project ip', { ...range, includeCursorField: true });
      expect(tables[0]!.fields.at(-1)).toEqual({ name: '_cursor', type: 'string' });
      expect(tables[0]!.columns.at(-1)).toHaveLength(4);
      expect([tables[0]!.columns.at(-1)![0], tables[0]!.columns.at(-1)![3]]).toEqual([
        status.maxCursor,
        status.minCursor,
      ]);
    });

    it('totals that are equal come in the order of their groups', async () => {
      await world.dataset(
        'ties',
        Array.from({ length: 40 }, (_, i) => ({ g: `g${(i * 7) % 20}`, h: i % 2, _time: `${day}10:00:00Z` })),
      );
      const { tables } = await tabular('ties | summarize count() by bin(_time, 1m), g, h');
      const groups = tables[1]!.columns[0]!.map((g, i) => `${String(g)} ${String(tables[1]!.columns[1]![i])}`);
      expect(groups).toEqual(groups.toSorted());
      expect(groups).toHaveLength(20);
    });
  });

  it('tabular-rows: a line an event', async () => {
    const { text, headers } = await world.send('POST', '/v1/query/_apl?format=tabular-rows', {
      apl: 'logs | project ip, code, tags | sort by code asc',
      ...range,
    });
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toHaveLength(4);
    expect(lines).toContainEqual(['a', 200, ['x', { y: 1 }]]);
  });

  describe('messages', () => {
    it('an always-true filter: exactly one, to the letter', async () => {
      for (const format of ['tabular', 'legacy'])
        expect((await world.apl<Tabular>('logs | where true', range, format)).status.messages).toEqual([
          {
            priority: expect.any(String) as string,
            count: 1,
            code: 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata_1',
            msg: 'where clause always evaluates to TRUE, which will include all data',
          },
        ]);
    });

    it('the default limit only where it cut', async () => {
      const codes = async (apl: string, more: object) =>
        (await tabular(apl, { ...range, ...more })).status.messages.map(({ code }) => code);
      expect(await codes('logs', { defaultLimit: 3 })).toEqual(['default_limit_warning']);
      expect(await codes('logs', { defaultLimit: 4 })).toEqual([]);
      expect(await codes('logs | take 3', { defaultLimit: 1 })).toEqual([]);
      expect(await codes('logs | summarize count() by ip', { defaultLimit: 1 })).toEqual([]);
      // More rows than events, rows without events, and fewer rows than events.
      expect(await codes('logs | mv-expand x = range(1, 9)', { defaultLimit: 30 })).toEqual(['default_limit_warning']);
      expect(await codes('logs | mv-expand x = range(1, 9)', { defaultLimit: 40 })).toEqual([]);
      expect(await codes('logs | extend k = 1 | join (logs | extend k = 1) on k', { defaultLimit: 5 })).toEqual([
        'default_limit_warning',
      ]);
      expect(await codes('range n from 1 to 9 step 1', { defaultLimit: 5 })).toEqual(['default_limit_warning']);
      expect(await codes('range n from 1 to 9 step 1', { defaultLimit: 10 })).toEqual([]);
    });

    it('unknown fields; repeated messages are merged with a count', async () => {
      const { messages } = (await tabular('logs | where nope == 1 or nope == 2 | extend a = nada')).status;
      expect(messages).toMatchObject([
        { code: 'missing_column', msg: 'no column nope; did you mean code?', count: 2 },
        { msg: 'no column nada', count: 1 },
      ]);
    });
  });

  describe('status', () => {
    const cases: readonly (readonly [string, object])[] = [
      ['logs | take 1', { rowsExamined: 4, rowsMatched: 4 }],
      ['logs | where ip == "a"', { rowsExamined: 4, rowsMatched: 2 }],
      ['logs | where ip == "a" | take 1', { rowsExamined: 4, rowsMatched: 2 }],
      ['logs | where ip == "a" | take 1 | where code == 200', { rowsExamined: 4, rowsMatched: 2 }],
      ['logs | where ip == "a" | summarize count()', { rowsExamined: 4, rowsMatched: 2, numGroups: 1 }],
      ['logs | summarize count() by ip', { rowsExamined: 4, rowsMatched: 4, numGroups: 3 }],
      ['logs | summarize count() by bin(_time, 1m), ip', { rowsExamined: 4, rowsMatched: 4, numGroups: 3 }],
      ['logs | summarize count() by bin(_time, 1m), ip | limit 1', { rowsExamined: 4, rowsMatched: 4, numGroups: 1 }],
      [
        'logs | where code == 200 | summarize count() by bin(_time, 1m), ok | limit 1',
        { rowsExamined: 4, rowsMatched: 2, numGroups: 1 },
      ],
      ['logs | getschema', { rowsExamined: 0, rowsMatched: 8 }],
      ['logs | where ip == "a" | getschema | take 1', { rowsExamined: 0, rowsMatched: 1 }],
      ['print x = 1', { rowsExamined: 1, rowsMatched: 1 }],
      ['union logs, big', { rowsExamined: 5, rowsMatched: 5 }],
      ['union logs, big | where ip == "a"', { rowsExamined: 5, rowsMatched: 2 }],
      ['logs | where ip == "nobody" | union (print ip = "c")', { rowsExamined: 4, rowsMatched: 1 }],
      ['logs | union (range x from 1 to 3 step 1) | where x > 1', { rowsExamined: 4, rowsMatched: 2 }],
      [`logs | where _time > datetime(${day}10:01:00Z)`, { rowsExamined: 1, rowsMatched: 1 }],
    ];
    it.each(cases)('%s', async (apl, want) => expect((await tabular(apl)).status).toMatchObject(want));
  });

  describe('legacy', () => {
    it('events', async () => {
      const { matches, buckets } = await legacy('logs | where ip == "b"');
      expect(matches).toMatchObject([
        { _time: `${day}10:00:30Z`, data: { code: '304', ip: 'b', ms: 2.25, 'odd "name"': 'q"\\/\n\u{1F600}' } },
      ]);
      expect(Object.keys(matches[0]!.data)).toEqual(['code', 'ip', 'ms', 'odd "name"']);
      expect(buckets).toEqual({ series: [], totals: [] });
    });

    it('events that kept no time have the one of their row id', async () => {
      const { matches } = await legacy('logs | project ip | take 2');
      expect(matches.map(({ _time, data }) => [_time, data])).toEqual([
        [`${day}10:02:30.5Z`, {}],
        [`${day}10:01:00Z`, { ip: 'a' }],
      ]);
      const exact = await legacy('logs | where code == 200 | sort by _time asc | project code');
      expect(exact.matches.map(({ _time }) => _time)).toEqual([`${day}10:00:00.000000001Z`, `${day}10:01:00Z`]);
    });

    it('aggregation: the request is repeated in its own terms', async () => {
      const answer = await legacy('logs | summarize n = count(), topk(ip, 2) by ip');
      expect(answer.matches).toEqual([]);
      expect(answer.buckets.series).toEqual([]);
      expect(answer.buckets.totals[0]).toEqual({
        id: expect.any(Number) as number,
        group: { ip: 'a' },
        aggregations: [
          { op: 'n', value: 2 },
          { op: 'topk_ip', value: [{ key: 'a', count: 2, error: 0 }] },
        ],
      });
      expect((answer as unknown as { request: object }).request).toMatchObject({
        startTime: range.startTime,
        groupBy: ['ip'],
        aggregations: [
          { op: 'count', field: '*', alias: 'n' },
          { op: 'topk', field: 'ip', alias: 'topk_ip', argument: 2 },
        ],
      });
    });

    it('time series: the same group has the same id in every bucket', async () => {
      const { buckets } = await legacy('logs | summarize count() by bin(_time, 1m), ip');
      expect(buckets.series.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
        [`${day}10:00:00Z`, `${day}10:01:00Z`],
        [`${day}10:01:00Z`, `${day}10:02:00Z`],
        [`${day}10:02:00Z`, `${day}10:03:00Z`],
      ]);
      const idOfA = buckets.totals.find(({ group }) => group['ip'] === 'a')?.id;
      expect(buckets.series[1]?.groups).toMatchObject([
        { id: idOfA, group: { ip: 'a' }, aggregations: [{ op: 'count_', value: 1 }] },
      ]);
    });
  });

  describe('structured', () => {
    const cases: readonly (readonly [string, object])[] = [
      ['events', {}],
      ['no events', { filter: { op: '==', field: 'ip', value: 'zzz' } }],
      ['one group', { aggregations: [{ op: 'count', field: '*' }] }],
      ['groups', { aggregations: [{ op: 'avg', field: 'ms' }], groupBy: ['ip', 'code'] }],
    ];
    it.each(cases)('%s', async (_, body) =>
      expect(await legacyQuery('logs', body)).toMatchObject({ format: 'legacy' }),
    );

    it('of nothing: totals with zero, no series', async () => {
      const { buckets } = await legacyQuery('empty', { aggregations: [{ op: 'count', field: '*' }] });
      expect(buckets).toMatchObject({ series: [], totals: [{ aggregations: [{ op: 'COUNT', value: 0 }] }] });
      expect((await legacyQuery('empty', { aggregations: [{ op: 'count' }], groupBy: ['x'] })).buckets.totals).toEqual(
        [],
      );
    });
  });

  it('an unknown format, and a query that does not compile', async () => {
    expect(await world.send('POST', '/v1/datasets/_apl?format=xml', { apl: 'logs' })).toMatchObject({ status: 400 });
    const { status, body } = await world.send('POST', '/v1/datasets/_apl', { apl: 'logs\n| wher x' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 400,
        message: expect.stringContaining('line 2, column 3') as string,
        detail: { line: 2, column: 3 },
      },
    });
  });

  it('defaultOrder orders events that have no order', async () => {
    const first = async (apl: string) =>
      (await tabular(apl, { ...range, defaultOrder: [{ field: '_time', desc: false }] })).tables[0]!.columns[0]![0];
    expect(await first('logs | project _time')).toBe(`${day}10:00:00.000000001Z`);
    expect(await first('logs | sort by _time desc | project _time')).toBe(`${day}10:02:30.5Z`);
    expect(await first('logs | summarize count()')).toBe(4);
  });

  it('bounds are inclusive to the nanosecond', async () => {
    const at = `${day}10:00:00.000000001Z`;
    const rows = async (startTime: string, endTime: string) => [
      (await tabular('logs', { startTime, endTime })).status.rowsMatched,
      (await legacyQuery('logs', { startTime, endTime })).status.rowsMatched,
    ];
    expect(await rows(at, at)).toEqual([1, 1]);
    expect(await rows(`${day}10:00:00.000000002Z`, `${day}10:00:29.999999999Z`)).toEqual([0, 0]);
  });
});
