import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { lokiPush } from './testing/bodies.js';
import { snappy } from './testing/snappy.js';

/** Requests whose events name their datasets themselves. */

let world: EngineTestServer;
/** May send to `a` and `b`. */
let token: string;
beforeAll(async () => {
  world = await openEngineTestServer({ elasticVersion: '7.17.0' });
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

const failures = async (): Promise<number> =>
  Number(/^millrace_ingest_failed_events_total (\d+)/m.exec((await world.send('GET', '/metrics')).text)?.[1]);

describe('Splunk HEC: the index of an event is its dataset', () => {
  const send = (path: string, envelopes: readonly object[]) =>
    world.send('POST', `/services/collector${path}`, envelopes.map((one) => JSON.stringify(one)).join('\n'), {
      headers: { authorization: `Splunk ${token}` },
    });
  const envelope = (mark: string, message: string, index?: string) => ({ index, event: { mark, message } });

  test('and those without one go where the URL says, or with the first', async () => {
    const success = { status: 200, text: '{"text":"Success","code":0}' };
    const events = (mark: string) => [envelope(mark, '1', 'a'), envelope(mark, '2', 'b'), envelope(mark, '3')];
    expect(await send('/event?index=b', events('url'))).toMatchObject(success);
    expect([await messagesIn('a', 'url'), await messagesIn('b', 'url')]).toEqual([['1'], ['2', '3']]);
    expect(await send('', events('first'))).toMatchObject(success);
    expect([await messagesIn('a', 'first'), await messagesIn('b', 'first')]).toEqual([['1', '3'], ['2']]);
  });

  test('a text about another index changes nothing', async () => {
    const said = { index: 'a', event: { mark: 'said', message: '{"index":"closed"}' } };
    expect((await send('', [said])).status).toBe(200);
    expect(await messagesIn('a', 'said')).toEqual(['{"index":"closed"}']);
  });

  test('one that is not allowed is named, and the others are stored', async () => {
    const { status, body } = await send('', [envelope('hec', '1', 'a'), envelope('hec', '2', 'closed')]);
    expect([status, body]).toEqual([
      400,
      { text: 'Incorrect index', code: 7, message: expect.stringContaining('closed') },
    ]);
    expect(await messagesIn('a', 'hec')).toEqual(['1']);
  });

  test('a path that is not served gets an error in the form of the protocol', async () => {
    const { status, body } = await send('/mint', []);
    expect([status, body]).toEqual([
      404,
      { text: 'Invalid data format', code: 6, message: expect.stringContaining('POST /services/collector/event') },
    ]);
  });

  test('a broken envelope fails once', async () => {
    const body = `${JSON.stringify(envelope('broken', '1', 'a'))}\n{"event":}\n${JSON.stringify(envelope('broken', '2', 'b'))}`;
    const headers = { authorization: `Splunk ${token}` };
    const before = await failures();
    expect((await world.send('POST', '/services/collector', body, { headers })).status).toBe(200);
    expect((await failures()) - before).toBe(1);
    expect([await messagesIn('a', 'broken'), await messagesIn('b', 'broken')]).toEqual([['1'], ['2']]);
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

  test('a forbidden message is reported, and the others are stored', async () => {
    const streams = ['a', 'closed'].map((dataset) => ({ labels: labels(dataset, 'n'), lines: [dataset] }));
    const { status, text } = await push(snappy(lokiPush(streams)), protobuf);
    expect([status, text]).toEqual([400, expect.stringContaining('closed')]);
    expect(await messagesIn('a', 'n')).toEqual(['a']);
  });
});
