import { describe, expect, test } from 'vitest';
import { ApiError } from './api-error.js';
import { type Client, createClient } from './client.js';
import { jsonText } from './json-text.js';

interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client of a scripted server, and the requests it sent. */
function scriptedClient(answer: () => Response, options: { readonly url?: string; readonly orgId?: string } = {}) {
  const sent: SentRequest[] = [];
  const client = createClient({
    url: 'http://test',
    token: 'xaat-1',
    ...options,
    fetch: async (url, init) => {
      sent.push({ url, init });
      return answer();
    },
  });
  return { client, sent };
}

const reply =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  (): Response =>
    new Response(typeof value === 'string' ? value : JSON.stringify(value), { status, headers });

async function sentBy(ask: (client: Client) => Promise<unknown>, options?: Parameters<typeof scriptedClient>[1]) {
  const { client, sent } = scriptedClient(reply({}), options);
  await ask(client);
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

describe('requests', () => {
  const targets: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
    ['GET http://test/v2/datasets', (client) => client.call('listDatasets')],
    ['GET http://test/v2/datasets/logs', (client) => client.call('getDataset', { params: { id: 'logs' } })],
    ['GET http://test/v2/datasets/a%2Fb%3F%20%25', (client) => client.call('getDataset', { params: { id: 'a/b? %' } })],
    [
      'PUT http://test/v2/datasets/d/fields/%C3%A9.x',
      (client) => client.call('updateField', { params: { id: 'd', field: 'é.x' }, body: {} }),
    ],
    [
      'GET http://test/v1/backup/datasets/7?upTo=12',
      (client) => client.call('backupDataset', { params: { id: 7 }, query: { upTo: '12' } }),
    ],
    [
      'GET http://test/v2/vfields?dataset=a+b%26c',
      (client) => client.call('listVirtualFields', { query: { dataset: 'a b&c' } }),
    ],
    [
      'GET http://test/v2/annotations?datasets=a&datasets=b',
      (client) => client.call('listAnnotations', { query: { datasets: ['a', 'b'] } }),
    ],
    [
      'POST http://test/v1/datasets/_apl?format=tabular&nocache=true',
      (client) => client.call('queryApl', { query: { format: 'tabular', nocache: true }, body: { apl: 'x' } }),
    ],
  ];
  test.each(targets)('%s', async (target, ask) => {
    const { url, init } = await sentBy(ask);
    expect(`${init.method} ${url}`).toBe(target);
  });

  test.each(['', '.', '..'])('rejects a parameter that no path can carry: %j', async (id) => {
    const { client, sent } = scriptedClient(reply({}));
    await expect(client.call('deleteDataset', { params: { id } })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  test('a URL with a path and trailing slashes', async () => {
    const { url } = await sentBy((client) => client.call('listDatasets'), { url: 'https://example.com/events//' });
    expect(url).toBe('https://example.com/events/v2/datasets');
  });

  test('rejects an invalid URL at once', () =>
    expect(() => createClient({ url: 'localhost', token: 'x' })).toThrow(TypeError));

  test.each([
    ['a token', 'authorization', () => createClient({ url: 'http://test', token: 'xaat-sec\nret' })],
    ['an organization', 'x-axiom-org-id', () => createClient({ url: 'http://test', token: 'x', orgId: 'secret–1' })],
    [
      'a header',
      'idempotency-key',
      () =>
        scriptedClient(reply({})).client.call('ingest', {
          params: { dataset: 'd' },
          headers: { 'idempotency-key': 'secret–1' },
          body: '',
        }),
    ],
  ])('%s that cannot be sent is named, not repeated', async (_, name, attempt) => {
    const error: unknown = await (async () => attempt())().catch((thrown: unknown) => thrown);
    expect(error).toEqual(new TypeError(`header '${name}' has a character that no header can have`));
  });

  test('a token may come from a file, with a trailing newline', () =>
    expect(() => createClient({ url: 'http://test', token: 'xaat-1\r\n' })).not.toThrow());

  test('the token and, if there is one, the organization', async () => {
    const ask = (client: Client) => client.call('listDatasets');
    expect((await sentBy(ask)).init.headers).toEqual({ authorization: 'Bearer xaat-1' });
    expect((await sentBy(ask, { orgId: 'org' })).init.headers).toEqual({
      authorization: 'Bearer xaat-1',
      'x-axiom-org-id': 'org',
    });
  });

  test('a body that is already JSON, verbatim', async () => {
    const body = jsonText<{ name: string }>('{"name":"logs","n":60.0}');
    const { init } = await sentBy((client) => client.call('createDataset', { body }));
    expect(init.body).toBe('{"name":"logs","n":60.0}');
    expect(init.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  test('a JSON body', async () => {
    const { init } = await sentBy((client) => client.call('createDataset', { body: { name: 'logs' } }));
    expect(init.body).toBe('{"name":"logs"}');
    expect(init.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  test.each(['[{"a":1}]', new Uint8Array([31, 139])])('bytes unchanged: %o', async (body) => {
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' };
    const { init } = await sentBy((client) => client.call('ingest', { params: { dataset: 'd' }, headers, body }));
    expect(init.body).toBe(body);
    expect(init.headers).toEqual({ ...headers, authorization: 'Bearer xaat-1' });
  });

  test('a signal', async () => {
    const { signal } = new AbortController();
    const { init } = await sentBy((client) => client.call('listDatasets', { signal }));
    expect(init.signal).toBe(signal);
  });
});

describe('responses', () => {
  test('JSON', async () => {
    const { client } = scriptedClient(reply([{ id: 'logs' }]));
    expect(await client.call('listDatasets')).toEqual([{ id: 'logs' }]);
  });

  test('undefined for an empty body', async () => {
    const { client } = scriptedClient(() => new Response(null, { status: 204 }));
    expect(await client.call('deleteDataset', { params: { id: 'logs' } })).toBeUndefined();
  });

  test('bytes', async () => {
    const { client } = scriptedClient(reply('{"a":1}\n'));
    expect(await client.call('export', { body: { apl: 'x' } })).toEqual(new TextEncoder().encode('{"a":1}\n'));
  });

  test('a documented status is a response even if it is not a success', async () => {
    const health = { status: 'unavailable', reasons: ['disk full'] };
    expect(await scriptedClient(reply(health, 503)).client.call('getHealth')).toEqual(health);
  });

  test('send leaves the body unread', async () => {
    const { client } = scriptedClient(reply('{"n":9007199254740993}', 200, { 'x-millrace-position': '7' }));
    const answer = await client.send('queryApl', { body: { apl: 'x' } });
    expect(answer.headers.get('x-millrace-position')).toBe('7');
    expect(await answer.text()).toBe('{"n":9007199254740993}');
  });
});

describe('errors', () => {
  const refusal = async (answer: () => Response): Promise<ApiError> => {
    const error: unknown = await scriptedClient(answer)
      .client.call('getDataset', { params: { id: 'd' } })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  };

  test('an error with the message of the server', async () => {
    const detail = { message: 'unknown operator', line: 1, column: 8 };
    const body = { code: 400, message: 'line 1, column 8: unknown operator', detail };
    const error = await refusal(reply(body, 400, { 'x-axiom-trace-id': 'ab12' }));
    expect(error).toMatchObject({ name: 'ApiError', status: 400, traceId: 'ab12', ...body });
  });

  test.each(['<h1>Bad gateway</h1>', '', 'null', '"text"', '{"message":7}'])(
    'an error without message: %s',
    async (body) => {
      const error = await refusal(reply(body, 502));
      expect(error).toMatchObject({ message: 'the server answered 502', status: 502, code: 502, detail: undefined });
      expect(error.traceId).toBeUndefined();
    },
  );

  test('a response that is not JSON', async () =>
    expect(await refusal(reply('<html>'))).toMatchObject({
      message: 'the server answered something that is not JSON',
      status: 200,
    }));

  test('passes errors of fetch through', async () => {
    const gone = new TypeError('fetch failed');
    const client = createClient({ url: 'http://test', token: 'x', fetch: () => Promise.reject(gone) });
    await expect(client.call('listDatasets')).rejects.toBe(gone);
  });
});
