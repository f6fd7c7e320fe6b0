import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * Responses as clients of the interface decode them. The accepted shapes are written down here from
 * its public description, in a separate notation, independent of the schemas in the server's
 * documentation: `?` a property that may be missing, `[]` a list (never null), `{}` a map. Other
 * properties are not allowed, because strict decoders reject unknown ones.
 */
const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Tabular: {
    format: '=tabular',
    status: 'Status',
    datasetNames: 'string[]',
    fieldsMetaMap: 'Field[]{}',
    tables: 'Table[]',
  },
  Legacy: {
    format: '=legacy',
    status: 'Status',
    datasetNames: 'string[]',
    fieldsMetaMap: 'Field[]{}',
    request: 'Request',
    matches: 'Match[]',
    buckets: 'Buckets',
  },
  Structured: {
    format: '=legacy',
    status: 'Status',
    'fieldsMeta?': 'Field[]',
    matches: 'Match[]',
    buckets: 'Buckets',
  },
  Status: {
    elapsedTime: 'positive',
    blocksExamined: 'count',
    'blocksCached?': 'count',
    'blocksMatched?': 'count',
    'blocksSkipped?': 'count',
    rowsExamined: 'count',
    rowsMatched: 'count',
    numGroups: 'count',
    isPartial: 'boolean',
    'isEstimate?': 'boolean',
    'continuationToken?': 'string',
    cacheStatus: 'byte',
    minBlockTime: 'time',
    maxBlockTime: 'time',
    'minCursor?': 'text',
    'maxCursor?': 'text',
    'messages?': 'Message[]',
  },
  Message: { priority: 'priority', code: 'code', count: 'count', msg: 'text' },
  Field: { name: 'text', type: 'string', unit: 'string', hidden: 'boolean', description: 'string' },
  Table: {
    name: 'string',
    sources: 'Name[]',
    fields: 'Column[]',
    order: 'Order[]',
    groups: 'Name[]',
    'range?': 'Range',
    'buckets?': 'Bucket',
    columns: 'any[][]',
  },
  Name: { name: 'text' },
  Column: { name: 'text', type: 'type', 'agg?': 'Aggregate' },
  Aggregate: { name: 'aggregate', 'fields?': 'string[]', 'args?': 'any[]' },
  Order: { field: 'text', desc: 'boolean' },
  Range: { field: 'text', start: 'time', end: 'time' },
  Bucket: { field: 'text', size: 'number' },
  Match: { _time: 'time', _sysTime: 'time', _rowId: 'string', data: 'any{}' },
  Buckets: { series: 'Interval[]', totals: 'Group[]' },
  Interval: { startTime: 'time', endTime: 'time', groups: 'Group[]' },
  Group: { id: 'safe', group: 'any{}', aggregations: 'Value[]' },
  Value: { op: 'text', value: 'any' },
  Request: {
    startTime: 'time',
    endTime: 'time',
    resolution: 'text',
    'aggregations?': 'Aggregation[]',
    'groupBy?': 'string[]',
    'order?': 'Order[]',
    'filter?': 'any',
    'limit?': 'count',
    'cursor?': 'string',
    'includeCursor?': 'boolean',
    'virtualFields?': 'any[]',
    'project?': 'any[]',
  },
  Aggregation: { op: 'text', field: 'text', 'alias?': 'string', 'argument?': 'any' },
};

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const matches =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value);
const names = 'integer|float|string|boolean|datetime|timespan|array|map|unknown';
const aggregates = [
  'count countif distinct distinctif sum sumif avg avgif min minif max maxif topk topkif percentiles percentilesif histogram histogramif stdev',
  'stdevif variance varianceif argmin argmax rate makeset makesetif makelist makelistif computed spotlight',
].flatMap((line) => line.split(' '));
const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  string: (value) => typeof value === 'string',
  text: matches(/./s),
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  count: isCount,
  positive: (value) => isCount(value) && value !== 0,
  byte: (value) => isCount(value) && Number(value) < 256,
  safe: (value) => isCount(value) && Number.isSafeInteger(value),
  // Up to nine digits, no zeros at the end.
  time: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z$/),
  priority: matches(/^(trace|debug|info|warn|error|fatal)$/),
  code: matches(
    /^(virtual_field_finalize_error|missing_column|license_limit_for_query_warning|default_limit_warning|apl_.*)?$/,
  ),
  type: matches(new RegExp(`^(${names})(\\|(${names}))*$`)),
  aggregate: (value) => aggregates.includes(String(value)),
};

/** How a value differs from a shape. */
function differences(shape: string, value: unknown, at = ''): readonly string[] {
  const wrong = [`${at || '.'} is ${JSON.stringify(value)?.slice(0, 80)}, not ${shape}`];
  if (shape.startsWith('=')) return value === shape.slice(1) ? [] : wrong;
  if (shape.endsWith('[]'))
    return Array.isArray(value)
      ? value.flatMap((each, i) => differences(shape.slice(0, -2), each, `${at}[${i}]`))
      : wrong;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (shape.endsWith('{}'))
    return isObject
      ? Object.entries(value).flatMap(([key, each]) => differences(shape.slice(0, -2), each, `${at}.${key}`))
      : wrong;
  const members = shapes[shape];
  if (members === undefined) return kinds[shape]!(value) ? [] : wrong;
  if (!isObject) return wrong;
  const given = value as Readonly<Record<string, unknown>>;
  const known = new Map(Object.entries(members).map(([name, of]) => [name.replace('?', ''), of]));
  return [
    ...Object.keys(given).flatMap((key) => (known.has(key) ? [] : [`${at}.${key} is unknown`])),
    ...Object.entries(members).flatMap(([name, of]) => {
      const key = name.replace('?', '');
      if (key in given) return differences(of, given[key], `${at}.${key}`);
      return name.endsWith('?') ? [] : [`${at}.${key} is missing`];
    }),
  ];
}

const day = '2026-05-01T';
const events = [
  { _time: `${day}10:00:00.000000001Z`, ip: 'a', code: 200, ms: 1.5, tags: ['x', { y: 1 }], geo: { city: 'B' } },
  { _time: `${day}10:00:30Z`, ip: 'b', code: '304', ms: 2.25 },
  { _time: `${day}10:01:00Z`, ip: 'a', code: 200, ok: true },
  { _time: `${day}10:02:30.5Z`, ip: null, code: 500, ok: false },
];
const rangeBody = { startTime: `${day}10:00:00Z`, endTime: `${day}11:00:00Z` };

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('logs', events);
  await world.dataset('empty');
  await world.send('PUT', '/v2/datasets/logs/fields/ms', { unit: 'ms', description: 'how long', hidden: false });
  await world.send('POST', '/v2/vfields', { dataset: 'logs', name: 'slow', expression: 'ms > 2' });
});
afterAll(() => world.close());

const pipelines = [
  '',
  '| where ip == "a"',
  '| where ip == "zzz"',
  '| where true',
  '| where nope == 1',
  '| take 1',
  '| project ip, tags, slow',
  '| sort by code asc',
  '| count',
  '| distinct ip',
  '| summarize count()',
  '| summarize count(), avg(ms), dcount(ip), topk(ip, 2), percentile(ms, 95), make_set(code), n = 1.0 * sum(ms) / count() by ip',
  '| summarize histogram(ms, 3), stdev(ms), variance(ms), rate(ms), arg_max(ms, ip), make_list(ok), countif(ok)',
  '| summarize count() by bin(_time, 1m)',
  '| summarize n = count() by bin_auto(_time), ip | limit 1',
  '| summarize count() by code, slow',
  '| extend t = _time - datetime(2026-05-01), d = tags[0] | project t, d',
  '| make-series count() on _time step 1m',
  '| getschema',
];

describe.each(['logs', 'empty'])('of %s', (dataset) => {
  describe.each(pipelines)('%s', (pipeline) => {
    it.each([{}, rangeBody, { includeCursorField: true, defaultLimit: 2 }])('the query %j', async (more) => {
      const apl = `${dataset} ${pipeline}`;
      const tabular = await world.apl(apl, more);
      expect(differences('Tabular', tabular)).toEqual([]);
      for (const { fields, columns } of tabular.tables) {
        expect(columns).toHaveLength(fields.length);
        for (const column of columns) expect(column).toHaveLength(columns[0]!.length);
      }
      expect(tabular.tables.map(({ name }) => name)).toEqual(/bin/.test(pipeline) ? ['0', '_totals'] : ['0']);
      expect(differences('Legacy', await world.apl(apl, more, 'legacy'))).toEqual([]);
    });
  });

  const bodies: readonly object[] = [
    {},
    { limit: 1, order: [{ field: '_time', desc: false }] },
    { filter: { op: '==', field: 'ip', value: 'zzz' } },
    { filter: { op: 'exists', field: 'nope' } },
    { project: [{ field: 'ip', alias: 'address' }] },
    { aggregations: [{ op: 'count', field: '*', alias: 'event_count' }] },
    { aggregations: [{ op: 'topk', field: 'ip', argument: 2 }], groupBy: ['code'], limit: 1 },
    { aggregations: [{ op: 'avg', field: 'ms' }], groupBy: ['ip', 'slow'], resolution: '1m' },
    { groupBy: ['ip'], virtualFields: [{ alias: 'v', expr: 'ms * 2' }] },
    // Values that clients send for "not set".
    {
      filter: { op: '', field: '', value: null, caseSensitive: false, children: null },
      aggregations: null,
      groupBy: null,
      order: null,
      limit: 0,
      virtualFields: null,
      project: null,
      cursor: '',
      continuationToken: '',
    },
  ];
  it.each(bodies)('structured: %j', async (body) => {
    const answer = await world.query(dataset, { resolution: 'auto', ...rangeBody, ...body });
    expect(differences('Structured', answer)).toEqual([]);
  });
});

it('on the edge path, with what clients send for "not set"', async () => {
  const unset = { cursor: '', startTime: '', variables: null, defaultLimit: 0, maxBinAutoGroups: 0 };
  const answer = await world.send('POST', '/v1/query/_apl?format=tabular', { apl: 'logs', ...unset });
  expect(differences('Tabular', answer.body)).toEqual([]);
});

it('finds differences', () => {
  expect(differences('Order', { field: 'a', desc: 'no', more: 1 })).toEqual([
    '.more is unknown',
    '.desc is "no", not boolean',
  ]);
  expect(differences('Buckets', { series: null })).toEqual(['.series is null, not Interval[]', '.totals is missing']);
  expect(differences('time', '2026-05-01T10:00:00.10Z')).toHaveLength(1);
});

it.each([
  ['logs | getschema | limit 3', 3],
  ['empty | summarize count()', 0],
])('returns at most the matched rows: %s', async (apl, rows) =>
  expect((await world.apl(apl)).status.rowsMatched).toBe(rows),
);
