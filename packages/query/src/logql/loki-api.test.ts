import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import {
  type LokiRequest,
  ask as askShop,
  linesOf as linesOfShop,
  openShop,
  start,
  times,
} from './testing/loki-shop.js';

/** Loki's API beside queries: lists, datasets, rights and errors. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await openShop(world);
});
afterAll(() => world.close());

const ask = (path: string, parameters: Readonly<Record<string, string>> = {}, how: LokiRequest = {}) =>
  askShop(world, path, parameters, how);
const linesOf = (query: string, how: LokiRequest = {}) => linesOfShop(world, query, how);

describe('lists', () => {
  test.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['labels', {}, ['app', 'env', 'trace']],
    ['label/app/values', {}, ['db', 'proxy', 'web']],
    ['label/app/values', { query: '{env="prod"}' }, ['db', 'web']],
    ['label/none/values', {}, []],
    ['series', { 'match[]': '{env="test"}' }, [{ app: 'proxy', env: 'test' }]],
    ['rules', {}, { groups: [] }],
  ])('%s %o', async (path, parameters, data) => {
    expect((await ask(path, { ...times, ...parameters })).body).toEqual({ status: 'success', data });
  });

  test.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['index/stats', { query: '{app="proxy"}' }, { streams: 0, chunks: 0, entries: 3, bytes: 102 }],
    [
      'detected_labels',
      { query: '{app="db"}' },
      {
        detectedLabels: [
          { label: 'app', cardinality: 1 },
          { label: 'env', cardinality: 1 },
        ],
      },
    ],
    [
      'detected_fields',
      { query: '{app="db"}' },
      {
        fields: [
          { label: 'level', type: 'string', cardinality: 2, parsers: ['logfmt'] },
          { label: 'msg', type: 'string', cardinality: 2, parsers: ['logfmt'] },
          { label: 'took', type: 'duration', cardinality: 2, parsers: ['logfmt'] },
          { label: 'rows', type: 'int', cardinality: 2, parsers: ['logfmt'] },
        ],
        limit: 1000,
      },
    ],
    ['detected_field/level/values', { query: '{app="db"}' }, { values: ['info', 'warn'], limit: 1000 }],
  ])('%s %o', async (path, parameters, body) => {
    expect((await ask(path, { ...times, ...parameters })).body).toEqual(body);
  });

  test('volumes are bytes of lines by label', async () => {
    const { body } = await ask('index/volume', { ...times, query: '{env=~".+"}', targetLabels: 'app' });
    expect(body.data.result.map(({ metric, value }) => [metric['app'], value?.[1]])).toEqual([
      ['web', '274'],
      ['proxy', '102'],
      ['db', '95'],
    ]);
    const range = { start: String(start), end: String(start + 180), step: '60' };
    const volumes = await ask('index/volume_range', { ...range, query: '{app="db"}' });
    expect(volumes.body.data.result).toEqual([
      {
        metric: { app: 'db' },
        values: [
          [start + 60, '43'],
          [start + 120, '52'],
        ],
      },
    ]);
  });
});

test('POST takes the parameters from a form', async () => {
  const response = await fetch(`${world.url}/loki/loki-shop/loki/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}` },
    body: new URLSearchParams({ query: 'sum(count_over_time({app="db"}[3m]))', time: String(start + 180) }),
  });
  expect(await response.json()).toMatchObject({ data: { result: [{ value: [start + 180, '2'] }] } });
});

describe('without a dataset in the address', () => {
  const base = '';

  test('a label names it, and is listed', async () => {
    expect(await linesOf('{dataset="loki-shop", app="db"} |= "warn"', { base })).toEqual([
      '15 app=db env=prod: level=warn msg="slow query" took=3s rows=10',
    ]);
    expect((await ask('labels', times, { base })).body.data).toEqual(['dataset']);
    expect((await ask('label/dataset/values', times, { base })).body.data).toEqual(
      expect.arrayContaining(['loki-events', 'loki-shop']),
    );
  });

  test('the tenant names it', async () => {
    const headers = { 'x-scope-orgid': 'loki-shop' };
    expect((await ask('labels', times, { base, headers })).body.data).toEqual(['app', 'env', 'trace']);
  });

  test('it is the only one that the token may query', async () => {
    const token = await world.token({ datasetCapabilities: { 'loki-shop': { query: ['read'] } } });
    expect(await linesOf('{app="db"} |= "warn"', { base, token })).toHaveLength(1);
  });

  test('otherwise the error says how to name it', async () => {
    const { status, text } = await ask('query_range', { query: '{app="db"}', ...times }, { base });
    expect([status, text]).toEqual([400, expect.stringContaining('name one with {dataset="…"}')]);
  });
});

describe('rights', () => {
  test('a token without the right to query gets 403 as text', async () => {
    const token = await world.token({ datasetCapabilities: { 'loki-shop': { ingest: ['create'] } } });
    expect(await ask('query_range', { query: '{app="db"}', ...times }, { token })).toMatchObject({ status: 403 });
  });

  test('a label cannot name a dataset of others', async () => {
    const token = await world.token({ datasetCapabilities: { 'loki-shop': { query: ['read'] } } });
    const query = '{dataset="loki-events", status="200"}';
    expect(await ask('query_range', { query, ...times }, { token, base: '' })).toMatchObject({ status: 403 });
    expect((await ask('label/dataset/values', times, { token, base: '' })).body.data).not.toContain('loki-events');
  });

  test('a wrong token gets 401, an unknown dataset 404', async () => {
    expect((await ask('labels', times, { token: 'xaat-wrong' })).status).toBe(401);
    expect((await ask('labels', times, { base: '/loki/unknown-dataset' })).status).toBe(404);
  });
});

describe('series of many values', () => {
  const wide = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, 'x']));
  const count = (dataset: string, query: string, more = {}) =>
    ask('query', { query, time: String(start + 180), ...more }, { base: `/loki/${dataset}` });

  beforeAll(async () => {
    const time = new Date((start + 60) * 1000).toISOString();
    const ids = Array.from({ length: 2001 }, (_, i) => ({ _time: time, app: 'x', id: `id-${i}`, n: 1 }));
    await world.dataset('loki-ids', ids);
    await world.dataset('loki-wide', [{ _time: time, ...wide }]);
  });

  test('logqlLabelValues: fields with many values are no labels of ungrouped series', async () => {
    const { body } = await count('loki-ids', 'count_over_time({app="x"}[3m])');
    expect(body.data.result).toMatchObject([{ metric: { app: 'x', n: '1' }, value: [start + 180, '2001'] }]);
  });

  test('logqlLabelFields: a dataset with many fields needs a grouping', async () => {
    const { status, text } = await count('loki-wide', 'count_over_time({f0="x"}[3m])');
    expect([status, text]).toEqual([400, expect.stringContaining('more than 100 fields')]);
    expect((await count('loki-wide', 'sum by (f1) (count_over_time({f0="x"}[3m]))')).status).toBe(200);
  });

  test('logqlRows: a result with many values is refused', async () => {
    const query = 'quantile_over_time(0.5, {app="x"} | unwrap n [100s]) by (id)';
    const { status, text } = await ask(
      'query_range',
      { query, start: String(start), end: String(start + 180), step: '1' },
      { base: '/loki/loki-ids' },
    );
    expect([status, text]).toEqual([400, expect.stringContaining('more than 200000 values of series')]);
  });
});

describe('unsupported and wrong queries are rejected with the place', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['query_range', { query: '{app="db"' }, 'parse error at line 1, col 10: syntax error: unexpected end of input'],
    ['query_range', { query: '' }, 'the query is empty'],
    ['query_range', { query: '{app="web"} |= ip("10.0.0.1")' }, 'line 1, col 13: ip() in a line filter'],
    ['query_range', { query: '{app="web"} | line_format "{{if .x}}a{{end}}"' }, 'col 27: '],
    ['query_range', { query: 'count_over_time({app="web"} | json [1m])' }, 'col 1: each line may have other labels'],
    ['query_range', { query: '{app=~"("}' }, 'col 7: invalid regular expression'],
    ['query_range', { query: '{app="db"}', direction: 'up' }, "invalid direction 'up'"],
    ['query_range', { query: '{app="db"}', limit: '9999999' }, 'max_entries_limit'],
    ['query_range', { query: '{app="db"}', start: 'soon' }, "could not parse 'soon'"],
    ['query_range', { query: 'vector(1)', step: '1ms' }, 'exceeded maximum resolution'],
    [
      'query_range',
      { query: 'quantile_over_time(0.5, {app="db"} | unwrap x [1h]) by ()', step: '1s' },
      'more than 100 overlapping ranges',
    ],
    ['query', { query: '{app="db"}' }, 'log queries are not supported as an instant query type'],
    ['query', { query: 'sum(count_over_time({app="db"}[1m]) and 1)' }, 'set operator "and" not allowed'],
    ['label/app/values', { query: 'vector(1)' }, 'a selector is expected'],
  ])('%s %o', async (path, parameters, message) => {
    const { status, text } = await ask(path, { ...times, ...parameters });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  test('patterns and tails say what to use instead', async () => {
    expect(await ask('patterns')).toMatchObject({
      status: 404,
      text: expect.stringContaining('use the operator reduce'),
    });
    expect(await ask('tail')).toMatchObject({ status: 501, text: expect.stringContaining('poll query_range') });
  });
});
