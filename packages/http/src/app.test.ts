import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytes, json, route, type Route } from './route.js';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';

/** Routes that behave as real ones never do, or only under load. */
function oddRoutes(): readonly Route[] {
  const common = { tag: 'Odd', summary: 'Odd', need: { scope: 'login' } } as const;
  const done = { 200: { description: 'Done.' } };
  return [
    route({
      ...common,
      method: 'POST',
      path: '/odd/throw',
      operation: 'throwAnything',
      request: {},
      responses: done,
      handle: () => {
        throw new Error("Code: 60. DB::Exception: Table millrace.d1 doesn't exist at /srv/secret/path.ts:12");
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/odd/bytes',
      operation: 'takeBytes',
      request: { body: 'bytes' },
      responses: { 200: { description: 'Length and type.', schema: Type.Object({ length: Type.Integer() }) } },
      maxBodyBytes: 1000,
      limitFamily: 'Ingest',
      handle: ({ body }) => json({ length: body.byteLength }),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/odd/stream',
      operation: 'stream',
      request: {},
      responses: { 200: { description: 'Pieces.', mediaTypes: ['text/plain'] } },
      handle: () =>
        bytes(
          (async function* () {
            for (const piece of ['a', 'b', 'c']) yield Buffer.from(piece);
          })(),
          'text/plain',
        ),
    }),
  ];
}

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer({ routes: oddRoutes });
  await world.send('POST', '/v2/datasets', { name: 'logs' });
});
afterEach(() => world.close());

describe('every answer', () => {
  const requests: readonly (readonly ['GET' | 'POST', string, string | null])[] = [
    ['GET', '/v2/datasets', 'owner'],
    ['GET', '/v2/datasets/nope', 'owner'],
    ['GET', '/v2/datasets', null],
    ['GET', '/nowhere', null],
    ['POST', '/healthz', null],
    ['POST', '/odd/throw', 'owner'],
  ];
  test.each(requests)('%s %s as %s has a trace id and the security headers', async (method, url, who) => {
    const { headers } = await world.send(method, url, undefined, who === null ? null : world.owner);
    expect(headers['x-axiom-trace-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test.each([
    ['/nowhere', 'route-not-found'],
    ['/v2/datasets/nope', 'dataset-not-found'],
    ['/odd/throw', 'internal'],
  ])('%s names its error', async (url, code) => {
    const method = url === '/odd/throw' ? 'POST' : 'GET';
    expect((await world.send(method, url, undefined, world.owner)).headers['x-millrace-error']).toBe(code);
    expect((await world.send('GET', '/healthz')).headers).not.toHaveProperty('x-millrace-error');
  });

  test('trace ids differ, and cannot be chosen by the client', async () => {
    const headers = { 'x-axiom-trace-id': 'f'.repeat(32), 'request-id': 'f'.repeat(32) };
    const ids = await Promise.all(
      [1, 2].map(
        async () => (await world.send('GET', '/healthz', undefined, null, headers)).headers['x-axiom-trace-id'],
      ),
    );
    expect(new Set([...ids, 'f'.repeat(32)]).size).toBe(3);
  });
});

describe('unknown routes and methods', () => {
  test('answer in JSON', async () => {
    expect(await world.send('GET', '/v3/nothing')).toMatchObject({
      status: 404,
      body: { code: 404, message: expect.stringContaining('GET /v3/nothing not found') },
    });
    const wrong = await world.send('PATCH', '/v2/datasets/logs?secret=1');
    expect(wrong).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, PUT, DELETE' },
      body: { message: expect.not.stringContaining('secret') },
    });
    expect((await world.send('OPTIONS', '/v2/datasets')).status).toBe(405);
    // Fastify rejects this method without a content type.
    expect((await world.inject({ method: 'QUERY' as 'GET', url: '/v2/datasets' })).status).toBe(405);
  });

  test.each([
    ['POST', '/v1/v1/datasets/_apl', '/v1'],
    ['GET', '/v2/v1/datasets/logs', '/v2'],
    ['GET', '/v2/v2/datasets/logs', '/v2'],
    ['GET', '/api/axiom/v2/datasets', '/api/axiom'],
  ] as const)('%s %s reports which part of the client URL is too long', async (method, path, prefix) => {
    const route = path.slice(prefix.length);
    expect(await world.send(method, path)).toMatchObject({
      status: 404,
      body: {
        message: `${method} ${path} not found, but ${route} is; set the client's base URL without ${prefix}`,
      },
    });
  });

  test('a trailing slash makes no difference, HEAD is GET without a body', async () => {
    expect((await world.send('GET', '/v2/datasets/logs/')).status).toBe(200);
    expect(await world.send('HEAD', '/healthz', undefined, null)).toMatchObject({ status: 200, text: '' });
    expect((await world.send('HEAD', '/v2/datasets', undefined, null)).status).toBe(403);
  });
});

describe('internal routes are not exposed to clients', () => {
  test('an unforeseen error: no stack, no engine text, and the log has the rest', async () => {
    const { status, body, headers } = await world.send('POST', '/odd/throw');
    const traceId = headers['x-axiom-trace-id'] as string;
    expect([status, body]).toEqual([
      500,
      { code: 500, message: `internal error; see the server log, trace id ${traceId}` },
    ]);
    const line = world.logLines.find((line) => line.includes('DB::Exception'))!;
    expect(JSON.parse(line)).toMatchObject({ traceId, level: 50 });
  });

  test('log lines have no secrets and no query strings', async () => {
    await world.send('GET', '/v2/datasets?token=hush');
    await world.send('GET', '/v2/datasets', undefined, 'xaat-00000000-0000-4000-8000-000000000abc');
    await world.send('GET', '/nowhere?password=hush');
    const log = world.logLines.join('');
    expect(log).not.toContain('hush');
    expect(log).not.toContain(world.owner.slice(5));
    expect(log).not.toContain('000000000abc');
    const line = JSON.parse(world.logLines.find((line) => line.includes('"listDatasets"'))!);
    expect(line).toMatchObject({
      msg: 'request',
      method: 'GET',
      path: '/v2/datasets',
      status: 200,
      actor: { kind: 'personal-token', tokenId: 'owner' },
    });
  });
});

describe('bodies', () => {
  const send = (payload: string | Buffer, headers: Record<string, string> = {}, url = '/v2/datasets') =>
    world.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${world.owner}`, ...headers } });

  test('accepts JSON with any content type', async () => {
    for (const [i, type] of ['application/json', 'text/plain', 'application/x-www-form-urlencoded'].entries()) {
      expect((await send(`{"name":"d${i}"}`, { 'content-type': type })).status).toBe(200);
    }
  });

  test('bytes arrive as they were sent', async () => {
    const body = Buffer.from([0, 255, 128, 10]);
    for (const type of ['text/csv', 'application/json; charset=latin1', 'a/b']) {
      expect((await send(body, { 'content-type': type, 'content-encoding': 'zstd' }, '/odd/bytes')).body).toEqual({
        length: 4,
      });
    }
    expect((await world.send('POST', '/odd/bytes')).body).toEqual({ length: 0 });
  });

  test('a stream is sent piece by piece', async () =>
    expect((await world.send('GET', '/odd/stream')).text).toBe('abc'));

  const mistakes: readonly (readonly [string, string | Buffer, Record<string, string>, string, number])[] = [
    ['no JSON', '{"name":', {}, '/v2/datasets', 400],
    ['none at all', '', {}, '/v2/datasets', 422],
    ['not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), {}, '/v2/datasets', 400],
    ['too deep', `{"name":${'['.repeat(200)}${']'.repeat(200)}}`, {}, '/v2/datasets', 400],
    ['prototype', '{"name":"x","__proto__":{"x":1}}', {}, '/v2/datasets', 400],
    ['compressed JSON', 'xx', { 'content-encoding': 'gzip' }, '/v2/datasets', 415],
    ['malformed content type', '{"name":"x"}', { 'content-type': 'nonsense' }, '/v2/datasets', 415],
    ['large', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, {}, '/v2/datasets', 400],
    ['too large', `{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`, {}, '/v2/datasets', 413],
    ['too large for this route', 'x'.repeat(1001), {}, '/odd/bytes', 413],
  ];
  test.each(mistakes)('%s', async (_, payload, headers, url, status) => {
    const reply = await send(payload, headers, url);
    expect([reply.status, reply.body]).toEqual([status, { code: status, message: expect.any(String) }]);
  });

  test('suggests splitting a body over the limit only if its route accepts several requests', async () => {
    const events = await send('x'.repeat(1001), {}, '/odd/bytes');
    expect(events.text).toContain('is larger than 1000 bytes; split it into several requests');
    const other = await send(`{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`, {}, '/v2/datasets');
    expect(other.text).toContain('is larger than 4194304 bytes; limited by MILLRACE_MAX_JSON_BODY_BYTES');
  });

  test('rejects an unauthorized upload before it reads the body', async () => {
    const payload = 'x'.repeat(5 * 1024 * 1024);
    expect((await world.inject({ method: 'POST', url: '/v2/datasets', payload })).status).toBe(403);
    const token = await world.token({});
    expect(
      (
        await world.inject({
          method: 'POST',
          url: '/v2/datasets',
          payload,
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
    ).toBe(403);
  });
});

describe('hostile URLs', () => {
  test.each([
    ['/v2/datasets/..%2F..%2Fetc%2Fpasswd', 404],
    ['/v2/datasets/%2e%2e', 404],
    ['/v2/datasets/logs%00', 404],
    ['/v2/datasets/logs%0d%0aX-Injected:%201', 404],
    ['/v2/datasets/__proto__', 404],
    ['/v2/datasets/constructor', 404],
    ['/v2/datasets/%FF', 400],
    ['/v2/datasets/%E0%A4%A', 400],
    ['/v2/datasets/%', 400],
    [`/v2/datasets/${'x'.repeat(20_000)}`, 414],
    [`/v2/datasets?${'x=1&'.repeat(5000)}`, 414],
    [`/v2/datasets/${'%F0%9F%98%80'.repeat(1000)}`, 404],
  ])('%.60s → %i', async (url, status) => {
    const reply = await world.send('GET', url);
    expect([reply.status, reply.body]).toEqual([status, { code: status, message: expect.any(String) }]);
    expect(reply.headers).not.toHaveProperty('x-injected');
    expect((reply.body as { message: string }).message).not.toMatch(/\p{Cc}/u);
    expect((reply.body as { message: string }).message.length).toBeLessThan(1000);
  });
});

describe('limits', () => {
  test('requests per minute are reported in headers', async () => {
    await world.close();
    world = await createTestServer({ settings: { requestsPerMinute: 3 }, routes: oddRoutes });
    const token = await world.token({});
    const headers = async (url = '/v2/datasets') => {
      const { status, headers } = await world.send('GET', url, undefined, token);
      return [
        status,
        headers['x-ratelimit-scope'],
        headers['x-ratelimit-limit'],
        headers['x-ratelimit-remaining'],
        headers['x-ratelimit-reset'],
      ];
    };
    const reset = String(world.now() / 1000 + 60);
    expect(await headers()).toEqual([200, 'organization', '3', '2', reset]);
    expect(await headers('/v2/tokens')).toEqual([403, 'organization', '3', '1', reset]);
    expect(await headers()).toEqual([200, 'organization', '3', '0', reset]);
    expect(await headers()).toEqual([429, 'organization', '3', '0', reset]);
    const refused = await world.send('POST', '/odd/bytes', {}, token);
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        'x-ingestlimit-limit': '3',
        'x-ingestlimit-remaining': '0',
        'retry-after': '60',
      },
    });
    expect((await world.send('GET', '/v2/datasets')).status).toBe(200);
    world.advance(60_000);
    expect((await headers())[0]).toBe(200);
  });

  test('wrong tokens a minute', async () => {
    await world.close();
    world = await createTestServer({ settings: { failedLoginsPerMinute: 2 } });
    for (const status of [403, 403, 429, 429]) {
      expect((await world.send('GET', '/v2/datasets', undefined, null)).status).toBe(status);
    }
    expect((await world.send('GET', '/healthz', undefined, null)).status).toBe(200);
    expect((await world.send('GET', '/v2/datasets')).status).toBe(200);
    expect(world.audits.map(({ code }) => code)).toEqual(['unauthenticated', 'rate-limited']);
    world.advance(60_000);
    expect((await world.send('GET', '/v2/datasets', undefined, null)).status).toBe(403);
  });

  test('a token that cannot be looked up is not a wrong one', async () => {
    await world.close();
    world = await createTestServer({ settings: { failedLoginsPerMinute: 1 } });
    const { tokens } = world.metadata;
    const findBySecret = tokens.findBySecret.bind(tokens);
    tokens.findBySecret = () => Promise.reject(new Error('database is locked'));
    for (const status of [500, 500]) expect((await world.send('GET', '/v2/datasets')).status).toBe(status);
    tokens.findBySecret = findBySecret;
    expect((await world.send('GET', '/v2/datasets', undefined, null)).status).toBe(403);
  });
});

describe('pages of other origins', () => {
  const preflight = {
    origin: 'https://a.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };

  test('may not call unless the settings say so', async () => {
    const { status, headers } = await world.send('OPTIONS', '/v2/datasets', undefined, null, preflight);
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });

  test('may call if they are allowed', async () => {
    await world.close();
    world = await createTestServer({ settings: { corsOrigins: ['https://a.example'] } });
    const first = await world.app.inject({ method: 'OPTIONS', url: '/v2/datasets', headers: preflight });
    expect(first).toMatchObject({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': 'https://a.example',
        'access-control-allow-headers': 'authorization',
        vary: 'Origin',
      },
    });
    const call = await world.send('GET', '/v2/datasets', undefined, world.owner, { origin: 'https://a.example' });
    expect(call.headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example' });
    const other = await world.send('GET', '/v2/datasets', undefined, world.owner, { origin: 'https://b.example' });
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('may read every reported limit', async () => {
    await world.close();
    const settings = { corsOrigins: ['*'], requestsPerMinute: 1 };
    world = await createTestServer({ settings, routes: oddRoutes });
    const send = () => world.send('POST', '/odd/bytes', {}, world.owner, { origin: 'https://a.example' });
    await send();
    const { status, headers } = await send();
    expect(status).toBe(429);
    const headerNames = Object.keys(headers).filter((name) => /limit|retry/.test(name));
    expect(headerNames).toHaveLength(8);
    expect(String(headers['access-control-expose-headers']).split(', ')).toEqual(expect.arrayContaining(headerNames));
  });
});

test('failed authentication reports its rate limit', async () => {
  const { status, headers } = await world.send('GET', '/v2/datasets', undefined, null);
  expect([status, headers['x-ratelimit-scope'], headers['x-ratelimit-limit']]).toEqual([403, 'anonymous', '6000']);
});

describe('operations', () => {
  test('health reports the failures', async () => {
    expect((await world.send('GET', '/healthz', undefined, null)).body).toEqual({ status: 'ok', reasons: [] });
    world.data.state = { ready: false, acknowledges: false, complete: true, reasons: ['the engine restarts'] };
    expect(await world.send('GET', '/healthz', undefined, null)).toMatchObject({
      status: 503,
      body: { status: 'unavailable', reasons: ['the engine restarts'] },
    });
  });

  test('health for ingest fails while queries run and no event can be acknowledged', async () => {
    world.data.state = { ready: true, acknowledges: false, complete: true, reasons: ['tables are read-only'] };
    const statuses = ['/healthz', '/healthz?for=ingest'].map((path) => world.send('GET', path, undefined, null));
    expect(await Promise.all(statuses)).toMatchObject([
      { status: 200, body: { status: 'ok', reasons: ['tables are read-only'] } },
      { status: 503, body: { status: 'unavailable', reasons: ['tables are read-only'] } },
    ]);
  });

  test('figures', async () => {
    await world.send('GET', '/v2/datasets/nope');
    const { text, headers } = await world.send('GET', '/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('millrace_http_requests_total{route="getDataset",status="404"} 1\n');
    expect(text).toContain('millrace_http_refusals_total{code="dataset-not-found"} 1\n');
    expect(text).toMatch(/millrace_http_request_seconds_bucket\{route="getDataset",le="\+Inf"\} 1\n/);
    expect(text).toMatch(/millrace_process_memory_bytes \d+/);
  });

  test('the interface describes itself', async () => {
    const { body } = await world.send('GET', '/openapi.json', undefined, null);
    expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/openapi.json': {}, '/odd/bytes': {} } });
  });
});
