import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LegacyAnswer, StructuredAnswer, TabularAnswer } from '@millrace/api/schemas/query-results';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * Checks every response of the query service against a closed schema: no property is missing, and
 * none is unknown to a strict client. Other tests check the values.
 */

const closedObject = <const P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const Count = Type.Integer({ minimum: 0 });
const Text = Type.String({ minLength: 1 });

/** The error of the interface's edge description: kinds and codes are closed lists there. */
const QueryError = closedObject({
  code: Type.Integer({ minimum: 400, maximum: 599 }),
  message: Text,
  detail: Type.Optional(
    closedObject({
      message: Text,
      errorType: Type.Integer({ minimum: 1, maximum: 4 }),
      compileErrorCode: Type.Union([1, 2, 16, 17, 32, 33, 34].map((code) => Type.Literal(code))),
      line: Type.Integer({ minimum: 1 }),
      column: Type.Integer({ minimum: 1 }),
    }),
  ),
});
const Estimate = closedObject({
  rows: Count,
  bytes: Count,
  datasets: Type.Array(closedObject({ name: Text, rows: Count, bytes: Count, parts: Count })),
});
const History = closedObject({
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  kind: Text,
  created: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
  dataset: Type.String(),
  who: Text,
  query: Type.Object({}),
});
const RunningQueries = Type.Array(
  closedObject({
    id: Text,
    kind: Text,
    state: Text,
    query: Text,
    started: Text,
    elapsedMilliseconds: Count,
    tokenId: Text,
    userId: Text,
  }),
);
const frame = (kind: string, status: TSchema, data: TSchema, more: Record<string, TSchema> = {}) =>
  closedObject({ kind: Type.Literal(kind), queryId: Text, status, data, ...more });
const BatchEvent = Type.Union([
  frame('apl', Type.Literal(200), TabularAnswer, { settled: Type.String({ pattern: '^\\d+$' }) }),
  frame('apl', Type.Integer({ minimum: 400 }), QueryError),
  frame('mpl', Type.Integer({ minimum: 400 }), QueryError),
]);

const rfc3339 = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{0,8}[1-9])?Z$';
const Time = Type.String({ pattern: rfc3339 });
/** A line of an export: an event without its missing fields. */
const Line = closedObject({
  _time: Time,
  _sysTime: Time,
  _cursor: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}-[0-9a-f]{16}-[0-9a-f]{8}$' })),
  n: Type.Optional(Type.Integer()),
  s: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.Unknown())),
});
/** A row of `tabular-rows`: every column in order, null where there is no value. */
const Row = Type.Tuple([
  Time,
  Time,
  Type.Union([Type.Integer(), Type.Null()]),
  Type.Union([Type.String(), Type.Null()]),
  Type.Union([Type.Array(Type.Unknown()), Type.Null()]),
]);

/** The differences between a value and its schema; empty if there are none. */
const differences = (schema: TSchema, value: unknown): readonly string[] =>
  Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`);

describe('shapes of answers', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await sharedTestServer();
    await world.dataset('logs', [
      { n: 1, s: 'a', _time: '2026-05-01T10:00:00Z' },
      { n: 2, tags: [1, { a: null }], _time: '2026-05-01T10:00:01.5Z' },
      { s: '"\n\u{1F600}', _time: '2026-05-01T10:00:02.000000001Z' },
    ]);
    await world.dataset('empty');
  });
  afterAll(() => world.close());

  const lines = (text: string): readonly unknown[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));

  const queries = [
    'logs',
    'empty',
    'logs | where n > 100',
    'logs | project s',
    'logs | sort by n asc',
    'logs | count',
    'logs | summarize count(), avg(n) by s',
    'logs | summarize count() by bin(_time, 1s)',
    'logs | summarize topk(s, 3), percentile(n, 99) by bin_auto(_time), s | limit 1',
    'logs | make-series count() on _time from datetime(2026-05-01) to datetime(2026-05-02) step 1h',
    'logs | distinct s',
    'logs | getschema',
    'logs | where true',
    'union logs, empty',
    'print x = dynamic({"a": [1]})',
  ];
  const requests = [
    ['/v1/datasets/_apl', {}],
    ['/v1/query/_apl', { includeCursorField: true, startTime: '2026-05-01T00:00:00Z', endTime: 'now' }],
  ] as const;
  it.each(queries)('tabular and legacy, on both paths: %s', async (apl) => {
    for (const [path, more] of requests)
      for (const [format, schema] of [
        ['tabular', TabularAnswer],
        ['legacy', LegacyAnswer],
      ] as const) {
        const { status, headers, body } = await world.send('POST', `${path}?format=${format}`, { apl, ...more });
        expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
        expect(differences(schema, body)).toEqual([]);
      }
  });

  it('tabular-rows', async () => {
    const { headers, text } = await world.send('POST', '/v1/query/_apl?format=tabular-rows', { apl: 'logs' });
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(differences(Type.Array(Row, { minItems: 3, maxItems: 3 }), lines(text))).toEqual([]);
    expect((await world.send('POST', '/v1/query/_apl?format=tabular-rows', { apl: 'empty' })).text).toBe('');
  });

  const bodies: readonly object[] = [
    {},
    { limit: 1, order: [{ field: '_time', desc: false }], includeCursor: true },
    { filter: { op: '>', field: 'n', value: 100 } },
    { project: [{ field: 's', alias: 'text' }] },
    { aggregations: [{ op: 'count', field: '*', alias: 'event_count' }] },
    { aggregations: [{ op: 'topk', field: 's', argument: 2 }], groupBy: ['n'], resolution: '1s' },
    { aggregations: [{ op: 'sum', field: 'n' }], filter: { op: '>', field: 'n', value: 100 }, groupBy: ['s'] },
  ];
  it.each(bodies)('structured: %j', async (body) => {
    const range = { startTime: '2026-05-01T10:00:00Z', endTime: '2026-05-01T10:01:00Z' };
    for (const name of ['logs', 'empty'])
      expect(differences(StructuredAnswer, await world.query(name, { ...range, ...body }))).toEqual([]);
  });

  it('batch: one event a query', async () => {
    const requests = [...queries, 'logs | nonsense', 'nosuch'].map((apl, i) => ({
      queryId: `q${i}`,
      aplRequest: { apl },
    }));
    const { headers, text } = await world.send('POST', '/v1/query/batch', [
      ...requests,
      { queryId: 'metrics', mplRequest: {} },
      { queryId: 'nothing' },
    ]);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(text.endsWith('\n\n')).toBe(true);
    const events = text.trimEnd().split('\n\n');
    expect(events).toHaveLength(requests.length + 2);
    for (const event of events) {
      expect(event).toMatch(/^data: [^\n]*$/);
      expect(differences(BatchEvent, JSON.parse(event.slice('data: '.length)))).toEqual([]);
    }
  });

  it('estimate', async () => {
    for (const apl of queries)
      expect(differences(Estimate, (await world.send('POST', '/v1/query/estimate', { apl })).body)).toEqual([]);
  });

  it('history', async () => {
    for (const [path, body] of [
      ['/v1/datasets/_apl', { apl: 'logs' }],
      ['/v1/query/_apl', { apl: 'logs' }],
      ['/v1/datasets/logs/query', { limit: 1 }],
    ] as const) {
      const { headers } = await world.send('POST', `${path}?saveAsKind=analytics`, body);
      const id = headers.get('x-axiom-history-query-id') ?? '';
      const kept = (await world.send('GET', `/v1/datasets/_history/${id}`)).body;
      expect(differences(History, kept)).toEqual([]);
      expect(kept).toMatchObject({ id, query: body });
    }
  });

  it('export', async () => {
    for (const more of [{}, { includeCursorField: true }]) {
      const { headers, text } = await world.send('POST', '/v1/export', { apl: 'logs', ...more });
      expect(headers.get('content-type')).toBe('application/x-ndjson');
      expect(differences(Type.Array(Line, { minItems: 3, maxItems: 3 }), lines(text))).toEqual([]);
    }
    const csv = await world.send('POST', '/v1/export', { apl: 'logs | project _time, n, s', format: 'csv' });
    expect(csv.text).toBe(
      '"_time","n","s"\n"2026-05-01T10:00:02.000000001Z",,"""\n\u{1F600}"\n"2026-05-01T10:00:01.5Z",2,\n"2026-05-01T10:00:00Z",1,"a"\n',
    );
    expect((await world.send('POST', '/v1/export', { apl: 'empty' })).text).toBe('');
  });

  it('running queries', async () => {
    const stop = new AbortController();
    const longPoll = world
      .send('POST', '/v1/datasets/_apl?streaming-duration=10s', { apl: 'empty' }, { signal: stop.signal })
      .catch(() => undefined);
    for (let found: readonly unknown[] = []; found.length === 0;) {
      found = (await world.send<readonly unknown[]>('GET', '/v1/queries')).body;
      expect(differences(RunningQueries, found)).toEqual([]);
    }
    stop.abort();
    await longPoll;
  });

  const mistakes: readonly (readonly [string, string, unknown, number])[] = [
    ['a query that cannot be read', '/v1/datasets/_apl', { apl: 'logs |' }, 400],
    ['a dataset that is not there', '/v1/query/_apl', { apl: 'nosuch' }, 400],
    ['the same in a structured query', '/v1/datasets/nosuch/query', {}, 404],
    ['a cursor', '/v1/query/_apl', { apl: 'logs', cursor: 'x' }, 400],
    ['a time', '/v1/query/_apl', { apl: 'logs', startTime: 'soon' }, 400],
    ['a format', '/v1/query/_apl?format=xml', { apl: 'logs' }, 400],
    ['a filter', '/v1/datasets/logs/query', { filter: { op: 'nearly', field: 'n', value: 1 } }, 400],
    ['an estimate', '/v1/query/estimate', { apl: 'logs | nonsense' }, 400],
    ['an export', '/v1/export', { apl: 'logs | where', format: 'csv' }, 400],
    ['a batch', '/v1/query/batch', [], 400],
  ];
  it.each(mistakes)('mistake: %s', async (_, path, body, expected) => {
    const answer = await world.send('POST', path, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([expected, 'application/json; charset=utf-8']);
    expect(differences(QueryError, answer.body)).toEqual([]);
    expect((answer.body as { code: number }).code).toBe(expected);
  });
});
