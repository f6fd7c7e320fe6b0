import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';
import { lokiPush } from './testing/bodies.js';
import { snappy } from './testing/snappy.js';

/** Requests whose events name their datasets themselves. */

let world: EngineWorld;
/** May send to `a` and `b`. */
let token: string;
beforeAll(async () => {
  world = await openEngineWorld({ elasticVersion: '7.17.0' });
  for (const name of ['a', 'b', 'closed']) await world.dataset(name);
  const right = { ingest: ['create' as const] };
  token = await world.token({ datasetCapabilities: { a: right, b: right } });
});
afterAll(() => world.close());

const messagesIn = async (dataset: string, mark: string): Promise<unknown> =>
  (await world.apl(`['${dataset}'] | where mark == '${mark}' | order by message asc | project message`)).tables[0]!
    .columns[0] ?? [];

describe('Elasticsearch: without a dataset in the path, the index is the dataset', () => {
  const bulk = (path: string, lines: readonly object[]) =>
    world.send('POST', `/elastic${path}`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      token,
      headers: { 'content-type': 'application/x-ndjson' },
    });

  test('of each action', async () => {
    const mark = 'each';
    const { status, text } = await bulk('/_bulk', [
      { create: { _index: 'a' } },
      { mark, message: '1' },
      { create: { _index: 'b', _id: 'x' } },
      { mark, message: '2' },
      { index: {} },
      { mark, message: '3' },
      { update: { _index: 'b' } },
      { doc: {} },
    ]);
    expect(status).toBe(200);
    expect(text).toBe(
      '{"took":1,"errors":true,"items":[{"create":{"_index":"a","_version":1,"result":"created","status":201}},' +
        '{"create":{"_index":"b","_id":"x","_version":1,"result":"created","status":201}},' +
        '{"index":{"_version":1,"result":"created","status":201}},' +
        '{"update":{"_index":"b","status":400,"error":{"type":"illegal_argument_exception","reason":"events cannot be updated; send them with create"}}}]}',
    );
    expect([await messagesIn('a', mark), await messagesIn('b', mark)]).toEqual([['1', '3'], ['2']]);
  });

  test('of the path, where an action names none', async () => {
    const mark = 'path';
    expect((await bulk('/b/_bulk', [{ create: {} }, { mark, message: '1' }])).status).toBe(200);
    expect((await bulk('/a/_doc', [{ mark, message: '2' }])).status).toBe(201);
    expect([await messagesIn('a', mark), await messagesIn('b', mark)]).toEqual([['2'], ['1']]);
  });

  test('one that is not allowed, or not there, fails alone', async () => {
    const mark = 'alone';
    const { status, text } = await bulk('/_bulk', [
      { create: { _index: 'closed' } },
      { mark, message: '1' },
      { create: { _index: 'a' } },
      { mark, message: '2' },
    ]);
    expect(status).toBe(200);
    expect(text).toMatch(
      /^\{"took":1,"errors":true,"items":\[\{"create":\{"_index":"closed","status":403,"error":\{"type":"security_exception","reason":".+"\}\}\},\{"create":\{"_index":"a",.*"status":201\}\}\]\}$/,
    );
    expect(await messagesIn('a', mark)).toEqual(['2']);
    expect(await bulk('/_bulk', [{ create: { _index: 'closed' } }, { mark }])).toMatchObject({ status: 403 });
  });

  test('more datasets than there are passes are refused', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => [{ create: { _index: `of-${i}` } }, {}]).flat();
    expect((await bulk('/_bulk', lines)).status).toBe(413);
  });

  test('slashes too many, the version of the settings, and a search', async () => {
    const get = (path: string) => world.send<Record<string, never>>('GET', path, undefined, { token });
    expect((await get('/v1/ingest/a/elastic//')).body).toMatchObject({ version: { number: '7.17.0' } });
    expect((await get('//elastic')).status).toBe(200);
    expect((await get('/elastic/a/_search')).text).toContain('ask with APL');
  });
});

describe('Loki: without a dataset in the path, a label names it', () => {
  const stored = { status: 204, text: '' };
  const push = (body: Uint8Array | string, headers: Readonly<Record<string, string>>) =>
    world.send('POST', '/loki/api/v1/push', body, { token, headers });
  const protobuf = { 'content-type': 'application/x-protobuf' };
  const labels = (dataset: string, mark: string) => `{_axiom_dataset_key="${dataset}", mark="${mark}"}`;

  test('in protobuf', async () => {
    const streams = [
      { labels: labels('a', 'p'), lines: ['1'] },
      { labels: labels('b', 'p'), lines: ['2', '3'] },
    ];
    expect(await push(snappy(lokiPush(streams)), protobuf)).toMatchObject(stored);
    expect([await messagesIn('a', 'p'), await messagesIn('b', 'p')]).toEqual([['1'], ['2', '3']]);
    const { tables } = await world.apl('a | getschema | where ColumnName == "_axiom_dataset_key"');
    expect(tables[0]!.columns[0] ?? []).toEqual([]);
  });

  test('in JSON; the tenant is for streams without it', async () => {
    const stream = (labels: object, line: string) => ({ stream: labels, values: [['1790000000000000000', line]] });
    const body = JSON.stringify({
      streams: [stream({ mark: 'j' }, '1'), stream({ mark: 'j', _axiom_dataset_key: 'b' }, '2')],
    });
    const headers = { 'content-type': 'application/json', 'x-scope-orgid': 'a' };
    expect(await push(body, headers)).toMatchObject(stored);
    expect([await messagesIn('a', 'j'), await messagesIn('b', 'j')]).toEqual([['1'], ['2']]);
  });

  test('one that is not allowed is told of, and the others are stored', async () => {
    const streams = ['a', 'closed'].map((dataset) => ({ labels: labels(dataset, 'n'), lines: [dataset] }));
    const { status, text } = await push(snappy(lokiPush(streams)), protobuf);
    expect([status, text]).toEqual([400, expect.stringContaining('closed')]);
    expect(await messagesIn('a', 'n')).toEqual(['a']);
  });
});
