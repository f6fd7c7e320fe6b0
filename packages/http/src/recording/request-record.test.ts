import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { httpError } from '@millrace/api/errors';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';
import { bytes, empty, route, type Route } from '../route.js';

const common = {
  tag: 'Test',
  summary: 'Test',
  need: { scope: 'login' },
  responses: { 200: { description: 'Done.' } },
} as const;
const routes = (): readonly Route[] => [
  route({
    ...common,
    method: 'POST',
    path: '/test/events',
    operation: 'takeEvents',
    request: { body: 'bytes' },
    limitFamily: 'Ingest',
    handle: () => empty(200),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/test/behind',
    operation: 'refuseEvents',
    request: {},
    errors: ['ingest-behind'],
    limitFamily: 'Ingest',
    handle: () => {
      throw httpError('ingest-behind', { pending: 1 });
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/test/parts',
    operation: 'failInParts',
    request: {},
    limitFamily: 'Query',
    handle: (call) => {
      for (const name of ['secret', 'other', 'secret'])
        call.partFailed(httpError('forbidden', { need: `the dataset capability query:read on '${name}'` }));
      call.partFailed(httpError('invalid-query', { problem: 'it is empty' }));
      return empty(200);
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/test/slow',
    operation: 'takeTime',
    request: {},
    handle: async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return empty(200);
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/test/quick',
    operation: 'change',
    request: {},
    handle: () => {
      changes++;
      return empty(200);
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/test/quiet',
    operation: 'sayNothing',
    request: {},
    responses: { 200: { description: 'Done.', mediaTypes: ['text/plain'] } },
    streams: true,
    handle: () =>
      bytes(
        (async function* () {
          await new Promise<void>((resolve) => (finish = resolve));
          yield Buffer.from('late');
        })(),
        'text/plain',
      ),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/test/preview',
    operation: 'tryOut',
    changesNothing: true,
    request: {},
    errors: ['query-cancelled'],
    handle: () => {
      throw httpError('query-cancelled', {});
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/test/cut',
    operation: 'breakOff',
    request: {},
    responses: { 200: { description: 'Done.', mediaTypes: ['text/plain'] } },
    streams: true,
    handle: () =>
      bytes(
        (async function* () {
          yield Buffer.from('begun');
          throw httpError('query-cancelled', {});
        })(),
        'text/plain',
      ),
  }),
];

let world: TestServer;
/** Releases the response of `/test/slow`. */
let finish: (() => void) | undefined;
const letFinish = (): void => finish?.();
/** Number of requests to `/test/quick`. */
let changes = 0;
beforeEach(async () => {
  world = await createTestServer({ routes });
});
afterEach(() => world.close());

test('the line of a request tells its time to the microsecond', async () => {
  world.logLines.length = 0;
  await world.send('POST', '/test/events', {});
  await expect.poll(() => world.logLines).toHaveLength(1);
  const { seconds } = JSON.parse(world.logLines[0]!) as { seconds: number };
  expect(seconds).toBeGreaterThan(0);
  expect(Math.abs(seconds * 1e6 - Math.round(seconds * 1e6))).toBeLessThan(1e-6);
});

test('the line of a request that is for no route says why it failed', async () => {
  world.logLines.length = 0;
  await world.send('GET', '/nowhere');
  await world.send('PUT', '/test/events');
  await expect
    .poll(() => world.logLines.map((line) => JSON.parse(line) as unknown))
    .toMatchObject([
      { operation: 'none', status: 404, code: 'route-not-found' },
      { operation: 'none', status: 405, code: 'method-not-allowed' },
    ]);
});

test('a preview that its client left is not audited', async () => {
  [world.logLines.length, world.audits.length] = [0, 0];
  await world.send('POST', '/test/preview');
  await expect.poll(() => world.logLines).toHaveLength(1);
  expect(JSON.parse(world.logLines[0]!)).toMatchObject({ operation: 'tryOut', code: 'query-cancelled' });
  expect(world.audits).toEqual([]);
});

test('an answer that broke off has a line too, which says so', async () => {
  world.logLines.length = 0;
  await world.send('GET', '/test/cut').catch(() => undefined);
  await expect.poll(() => world.logLines).toHaveLength(1);
  expect(JSON.parse(world.logLines[0]!)).toMatchObject({
    operation: 'breakOff',
    status: 200,
    cut: true,
    code: 'query-cancelled',
    seconds: expect.any(Number) as number,
  });
  const { text } = await world.send('GET', '/metrics');
  expect(text).toContain('millrace_http_requests_total{route="breakOff",status="200"} 1');
});

test('a request whose client disconnected is logged, and audited if it changed something', async () => {
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${world.owner}` };
  const outcome = fetch(`${url}/test/slow`, { method: 'POST', headers, signal: leaving.signal }).catch(() => 'left');
  await expect.poll(() => finish).toBeDefined();
  [world.logLines.length, world.audits.length] = [0, 0];
  leaving.abort();
  expect(await outcome).toBe('left');
  await expect.poll(() => connections(world)).toBe(0);
  letFinish();
  await expect
    .poll(() => world.logLines.map((line) => JSON.parse(line) as unknown))
    .toMatchObject([{ operation: 'takeTime', status: 200, cut: true, msg: 'request' }]);
  expect(world.audits).toMatchObject([{ operation: 'takeTime', outcome: 'changed' }]);
  const { text } = await world.send('GET', '/metrics');
  expect(text).toContain('millrace_http_requests_total{route="takeTime",status="200"} 1');
});

test('whose client leaves before the first byte of a long answer is no error', async () => {
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  finish = undefined;
  const headers = { authorization: `Bearer ${world.owner}` };
  const outcome = fetch(`${url}/test/quiet`, { headers, signal: leaving.signal }).catch(() => 'left');
  await expect.poll(() => finish).toBeDefined();
  world.logLines.length = 0;
  leaving.abort();
  expect(await outcome).toBe('left');
  await expect
    .poll(() => world.logLines.map((line) => JSON.parse(line) as unknown))
    .toMatchObject([{ operation: 'sayNothing', status: 200, cut: true, msg: 'request' }]);
  letFinish();
});

test('requests behind another on a connection are not begun when their client leaves, and have no record', async () => {
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((world.app.server.address() as AddressInfo).port, '127.0.0.1');
  const request = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.owner}\r\nContent-Length: 0\r\n\r\n`;
  finish = undefined;
  const before = changes;
  [world.logLines.length, world.audits.length] = [0, 0];
  socket.write(request('/test/slow') + request('/test/quick').repeat(2));
  await expect.poll(() => finish).toBeDefined();
  socket.destroy();
  await expect.poll(() => connections(world)).toBe(0);
  letFinish();
  await expect
    .poll(() => world.logLines.map((line) => JSON.parse(line) as unknown))
    .toMatchObject([{ operation: 'takeTime', cut: true }]);
  expect(world.audits.map(({ operation }) => operation)).toEqual(['takeTime']);
  expect(changes).toBe(before);
});

const connections = ({ app }: TestServer): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));

describe('the audit log has', () => {
  test('audits actor and action of changes and refusals, but no reads', async () => {
    world.audits.length = 0;
    const token = await world.token({});
    await world.send('GET', '/v2/datasets');
    await world.send('POST', '/v2/datasets', { name: 'new' });
    await world.send('POST', '/v2/datasets', { name: 'new' });
    await world.send('DELETE', '/v2/datasets/new', undefined, token);
    await world.send('GET', '/v2/tokens?secret=1', undefined, null);
    await world.send('POST', '/test/events', {});
    expect(
      world.audits.map(({ outcome, operation, status, code, actor }) => [outcome, operation, status, code, actor.kind]),
    ).toEqual([
      ['changed', 'createDataset', 200, undefined, 'personal-token'],
      ['failed', 'createDataset', 409, 'already-exists', 'personal-token'],
      ['refused', 'deleteDataset', 403, 'forbidden', 'api-token'],
      ['refused', 'listTokens', 403, 'unauthenticated', 'anonymous'],
    ]);
    expect(world.audits.map(({ subject }) => subject)).toEqual(['new', 'new', undefined, undefined]);
    expect(world.audits[3]).toMatchObject({
      path: '/v2/tokens',
      address: '127.0.0.1',
      _time: '2026-11-20T10:00:00.000Z',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('refusals of parts of a request are audited, each once, also when the request as a whole was answered', async () => {
    const token = await world.token({});
    world.audits.length = 0;
    expect((await world.send('POST', '/test/parts', {}, token)).status).toBe(200);
    expect(world.audits).toMatchObject(
      [
        { outcome: 'refused', operation: 'failInParts', status: 403, code: 'forbidden', message: /on 'secret'/ },
        { outcome: 'refused', operation: 'failInParts', status: 403, code: 'forbidden', message: /on 'other'/ },
      ].map(({ message, ...rest }) => ({
        ...rest,
        message: expect.stringMatching(message),
        actor: { kind: 'api-token' },
      })),
    );
  });

  test('of refusals one a minute of each code and caller', async () => {
    const [token, other] = [await world.token({}), await world.token({})];
    const refusals = async (times: number): Promise<readonly unknown[]> => {
      world.audits.length = 0;
      for (let i = 0; i < times; i++) {
        await world.send('DELETE', '/v2/datasets/logs', undefined, token);
        await world.send('DELETE', '/v2/datasets/logs', undefined, null);
        await world.send('POST', '/test/parts', {}, other);
      }
      return world.audits.map(({ code, actor }) => [code, actor.kind]);
    };
    const each = [
      ['forbidden', 'api-token'],
      ['unauthenticated', 'anonymous'],
      ['forbidden', 'api-token'],
      ['forbidden', 'api-token'],
    ];
    expect(await refusals(5)).toEqual(each);
    world.advance(60_000);
    expect(await refusals(5)).toEqual(each);
  });

  test('of refusals one for all addresses of an IPv6 network', async () => {
    world.audits.length = 0;
    for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      await world.inject({ url: '/v2/tokens', remoteAddress });
    expect(world.audits.map(({ address }) => address)).toEqual(['2001:db8::1', '2001:db8:0:1::1']);
  });

  test('nothing of events that came while storing was behind', async () => {
    world.audits.length = 0;
    expect((await world.send('POST', '/test/behind', {})).status).toBe(429);
    await expect.poll(() => world.logLines.some((line) => line.includes('/test/behind'))).toBe(true);
    expect(world.audits).toEqual([]);
  });

  test('uses the address from trusted proxies, which clients cannot forge', async () => {
    await world.close();
    world = await createTestServer({ routes, settings: { trustedProxies: ['10.0.0.0/8', '::1'] } });
    const from = async (remoteAddress: string, forwarded: string): Promise<string | undefined> => {
      world.audits.length = 0;
      world.advance(60_000);
      await world.inject({ url: '/v2/tokens', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
      return world.audits[0]?.address;
    };
    expect(await from('10.1.2.3', '203.0.113.7')).toBe('203.0.113.7');
    expect(await from('10.1.2.3', '198.51.100.1, 203.0.113.7, 10.9.9.9')).toBe('203.0.113.7');
    expect(await from('192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
  });
});
