import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nullSource } from '@millrace/alerts/testing/null-source';
import { json, route, type Route } from '@millrace/http/route';
import { singleNode } from '@millrace/metadata/nodes/single-node';
import { openSqlite } from '@millrace/metadata/sqlite';
import type { EventParts, RunningServer } from './types.js';
import { type ServerOptions, startServer } from './server.js';
import { unusedDependency } from '../testing/every-route.js';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { cert, key } from '@millrace/http/testing/localhost-certificate';
import { MemoryData } from '@millrace/metadata/testing/memory-data';

let directory: string;
let runningServer: RunningServer | undefined;
let [shown, steps]: [string[], string[]] = [[], []];
let data: MemoryData;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-server-'));
  [runningServer, shown, steps, data] = [undefined, [], [], new MemoryData()];
});
afterEach(async () => {
  await runningServer?.stop();
  rmSync(directory, { recursive: true });
});

/** Releases the response. */
let letGo: (() => void) | undefined;
const slowRoute: Route = route({
  method: 'GET',
  path: '/slow',
  operation: 'slow',
  tag: 'Test',
  summary: 'Slow',
  need: { scope: 'public' },
  request: {},
  responses: { 200: { description: 'Done.' } },
  handle: async () => {
    await new Promise<void>((resolve) => (letGo = resolve));
    steps.push('answered');
    return json('done');
  },
});

const parts = (): EventParts => ({
  data,
  routes: [slowRoute],
  monitored: { source: nullSource, checkQuery: async () => {}, translate: () => undefined },
  checks: { view: async () => {}, expression: async () => {} },
  translate: () => undefined,
  audit: () => {},
  sinkOf: () => () => Promise.reject(new Error('unused')),
  shared: unusedDependency(),
  writeMetrics: () => async () => {},
  close: async () => void steps.push('events closed'),
});
const holdDirectory = (events: EventParts) => async (settings: Settings) => ({
  metadata: { sqlite: openSqlite(join(settings.dataDir, 'metadata.sqlite')) },
  node: singleNode('0.0.0'),
  openEvents: async () => events,
  release: async () => void steps.push('directory released'),
});

const start = async (
  settings: Partial<Settings> = {},
  options: Partial<ServerOptions> = {},
): Promise<RunningServer> => {
  runningServer = await startServer({
    settings: defaultSettings({ port: 0, dataDir: join(directory, 'data'), ...settings }),
    logger: pino({ level: 'silent' }),
    takeDirectory: holdDirectory(parts()),
    showToken: (secret) => shown.push(secret) > 0,
    ...options,
  });
  return runningServer;
};
async function stop(): Promise<void> {
  await runningServer?.stop();
  runningServer = undefined;
}
const get = (path: string, token?: string) =>
  fetch(runningServer!.url + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

/** Sends raw bytes and returns the response up to the end of the connection. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(runningServer!.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('the first start shows a working token; later starts show none, and the first still works', async () => {
  await start();
  expect(shown).toHaveLength(1);
  expect((await get('/v2/user', shown[0])).status).toBe(200);
  await stop();
  await start();
  expect(shown).toHaveLength(1);
  expect((await get('/v2/user', shown[0])).status).toBe(200);
});

test('a start can give a link that signs one browser in', async () => {
  await start({ host: '0.0.0.0' });
  const link = new URL((await runningServer!.signInLink())!);
  expect([link.hostname, link.pathname]).toEqual(['localhost', '/console/']);
  const headers = {
    authorization: `Bearer ${link.hash.replace('#code=', '')}`,
    'x-millrace-console': '1',
    'sec-fetch-site': 'same-origin',
  };
  const signIn = () => fetch(new URL('/console/api/session', link), { method: 'POST', headers });
  expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 403]);
  await stop();
  await start({ console: false });
  expect(await runningServer!.signInLink()).toBeUndefined();
});

test('a token that could not be shown does not work, and the next start shows another', async () => {
  const said: string[] = [];
  const unseen: string[] = [];
  const logger = pino({}, { write: (line: string) => void said.push(line) });
  await start({}, { logger, showToken: (secret) => unseen.push(secret) === 0 });
  expect((await get('/v2/user', unseen[0])).status).toBe(403);
  expect(said.join('')).toContain(`token create owner --personal --data-dir ${join(directory, 'data')}`);
  expect(said.join('')).not.toContain(unseen[0]);
  await stop();
  await start();
  expect((await get('/v2/user', shown[0])).status).toBe(200);
});

test('a start that fails has not shown the token that is shown once', async () => {
  await expect(start({ host: '203.0.113.1' })).rejects.toThrow('EADDRNOTAVAIL');
  expect(shown).toEqual([]);
  await start();
  expect((await get('/v2/user', shown[0])).status).toBe(200);
});

test('an address that others can reach, without TLS, is warned of', async () => {
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  await start({ host: '127.0.0.1' }, { logger });
  expect(warnings).toEqual([]);
  await stop();
  await start({ host: '0.0.0.0' }, { logger });
  expect(warnings).toEqual([expect.stringMatching(/without TLS.*MILLRACE_TLS_CERT/)]);
});

test('a token in the settings is used and not shown', async () => {
  const adminToken = `xapt-${randomUUID()}`;
  await start({ adminToken });
  expect(shown).toEqual([]);
  expect((await get('/v2/user', adminToken)).status).toBe(200);
});

test('the data directory is for its owner only', async () => {
  await start();
  expect(statSync(join(directory, 'data')).mode & 0o077).toBe(0);
});

test('stored data survives a restart, and the audit log is present', async () => {
  await start();
  await fetch(`${runningServer!.url}/v2/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shown[0]}` },
    body: '{"name":"logs"}',
  });
  await stop();
  await start();
  const list = (await (await get('/v2/datasets', shown[0])).json()) as readonly { name: string }[];
  expect(list.map(({ name }) => name)).toEqual(['logs', 'millrace-audit']);
});

test('a stop finishes running requests, then closes the events', async () => {
  await start();
  const answer = get('/slow');
  await expect.poll(() => letGo).toBeDefined();
  const stopped = runningServer!.stop();
  letGo!();
  expect([(await answer).status, await (await answer).json()]).toEqual([200, 'done']);
  await stopped;
  expect(steps).toEqual(['answered', 'events closed', 'directory released']);
  await expect(get('/healthz')).rejects.toThrow('fetch failed');
});

test('a request that comes during a stop is refused, which is no error of the server', async () => {
  const errors: string[] = [];
  await start({}, { logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }) });
  letGo = undefined;
  const port = Number(new URL(runningServer!.url).port);
  const [busy, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  const [answered, refused] = [text(busy), text(silent)];
  busy.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => letGo).toBeDefined();
  const stopped = runningServer!.stop();
  for (const socket of [busy, silent]) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await refused).toMatch(/^HTTP\/1.1 503 [^]*shutting down/);
  letGo!();
  // The response closes the connection, which tells the client that the next request was not
  // accepted.
  expect(await answered).toMatch(/^HTTP\/1.1 200 [^]*connection: close[^]*"done"$/);
  await stopped;
  expect(errors).toEqual([]);
});

test('a request that does not end holds the stop up for so long and no longer', async () => {
  await start({ shutdownTimeout: 50 });
  letGo = undefined;
  const answer = get('/slow').catch((error: Error) => error);
  await expect.poll(() => letGo).toBeDefined();
  await stop();
  expect(await answer).toBeInstanceOf(Error);
  letGo!();
});

test('a failed start closes the opened resources', async () => {
  await start();
  const { port } = new URL(runningServer!.url);
  const second = startServer({
    settings: defaultSettings({ port: Number(port), dataDir: join(directory, 'other') }),
    logger: pino({ level: 'silent' }),
    takeDirectory: holdDirectory(parts()),
    showToken: () => true,
  });
  await expect(second).rejects.toThrow('EADDRINUSE');
  expect(steps).toEqual(['events closed', 'directory released']);
});

test('a start that cannot have the directory says why, and touches nothing in it', async () => {
  const refused = { takeDirectory: () => Promise.reject(new Error('locked by process 1')) };
  await expect(start({}, refused)).rejects.toThrow('locked by process 1');
  expect(readdirSync(join(directory, 'data'))).toEqual([]);
  await start();
  await stop();
  await expect(start({ adminToken: `xapt-${randomUUID()}` }, refused)).rejects.toThrow('locked by process 1');
  await start();
  expect((await get('/v2/user', shown[0])).status).toBe(200);
});

describe('TLS', () => {
  const files = () => ({ tlsCert: join(directory, 'cert.pem'), tlsKey: join(directory, 'key.pem') });

  test('with a certificate the server speaks HTTPS', async () => {
    writeFileSync(files().tlsCert, cert);
    writeFileSync(files().tlsKey, key);
    const { url } = await start(files());
    expect(url).toMatch(/^https:/);
    const answer = await new Promise<readonly unknown[]>((resolve, reject) => {
      const call = tlsRequest(`${url}/healthz`, { rejectUnauthorized: false }, (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        resolve([response.statusCode, subject.CN, response.headers['strict-transport-security']]);
        response.resume();
      });
      call.on('error', reject).end();
    });
    expect(answer).toEqual([200, 'localhost', 'max-age=31536000']);
  });

  test('files that cannot be read are named', async () =>
    expect(start(files())).rejects.toThrow(/^MILLRACE_TLS_CERT: .*cert\.pem cannot be read: ENOENT/));

  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  test.each([
    ['an empty certificate', '', key, /^MILLRACE_TLS_CERT: .*cert\.pem does not hold a certificate/],
    ['a key in the place of the certificate', key, key, /^MILLRACE_TLS_CERT: .*cert\.pem does not hold a certificate/],
    ['no key', cert, 'x', /^MILLRACE_TLS_KEY: .*key\.pem does not hold a private key/],
    ['the key of another certificate', cert, String(another), /^MILLRACE_TLS_KEY: .* is not the one of/],
  ])('%s stops the start before anything is opened', async (_, certText, keyText, message) => {
    writeFileSync(files().tlsCert, certText);
    writeFileSync(files().tlsKey, keyText);
    await expect(start(files())).rejects.toThrow(message);
    expect(readdirSync(directory)).toEqual(['cert.pem', 'key.pem']);
  });
});

test('a file with prices that cannot be read stops the start before anything is opened', async () => {
  const starting = start({ modelPrices: join(directory, 'none.json') });
  await expect(starting).rejects.toThrow(/^MILLRACE_MODEL_PRICES: .*none\.json cannot be read/);
  expect(readdirSync(directory)).toEqual([]);
});

describe('bytes that are no request, or ask for what HTTP lets a server refuse', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['garbage', 'hello\r\n\r\n', 400],
    ['a line folded into a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nConnection: close\r\n\r\n', 400],
    ['a header with a line feed', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nX: c\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    ['two lengths', 'POST /v2/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST /v2/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX',
      400,
    ],
    ['a chunk of a wrong size', 'POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n', 417],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
  ];
  test.each(cases)('%s', async (_, text, status) => {
    await start();
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/json/i);
    expect(answer).toMatch(/x-axiom-trace-id: [0-9a-f]{32}/i);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown;
    expect(body).toEqual({ code: status, message: expect.any(String) });
  });
});

test('a body announced and never sent ends with 408, and the next request is served', async () => {
  await start({ requestTimeout: 1000 });
  const answer = await raw(
    `POST /v2/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shown[0]}\r\nContent-Length: 10\r\n\r\n{`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect((await get('/healthz')).status).toBe(200);
}, 60_000);

test('a refused body that never ends is answered once', async () => {
  await start({ requestTimeout: 1000 });
  const answer = await raw('POST /v2/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 403']);
}, 60_000);

describe('a client that sends all of a body before it reads', () => {
  const mebibyte = 1024 * 1024;
  const head = (framing: string, token: string): string =>
    `POST /v2/datasets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${framing}\r\n\r\n`;
  /** Sends chunks of a body a given number of times. */
  const sendAll = (framing: string, piece: Buffer, times: number, token = shown[0]!): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(runningServer!.url);
      const socket = connect(Number(port), hostname).on('error', reject);
      socket.write(head(framing, token));
      for (let i = 0; i < times; i++) socket.write(piece);
      socket.end(framing.startsWith('Transfer') ? '0\r\n\r\n' : '', () => {
        let answer = '';
        socket.on('data', (chunk) => (answer += chunk.toString('latin1'))).on('close', () => resolve(answer));
      });
    });
  const plain = Buffer.alloc(mebibyte, ' ');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), plain, Buffer.from('\r\n')]);

  test.each([
    ['announced', `Content-Length: ${16 * mebibyte}`, plain, undefined, 413],
    ['in chunks', 'Transfer-Encoding: chunked', chunk, undefined, 413],
    ['wrong token', `Content-Length: ${16 * mebibyte}`, plain, 'xapt-wrong', 403],
  ])('gets the reason for the refusal: %s', async (_, framing, piece, token, status) => {
    await start();
    expect(await sendAll(framing, piece, 16, token)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('is disconnected if it goes on and on', async () => {
    await start({ maxDiscardedBytes: mebibyte });
    await expect(sendAll(`Content-Length: ${64 * mebibyte}`, plain, 64)).rejects.toThrow(/EPIPE|ECONNRESET/);
    expect((await get('/healthz')).status).toBe(200);
  });
});

test('a client that goes away aborts its call', async () => {
  let aborted: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => (aborted = resolve));
  let arrived: (() => void) | undefined;
  const here = new Promise<void>((resolve) => (arrived = resolve));
  const waiting = route({
    ...slowRoute,
    request: {},
    path: '/waiting',
    operation: 'waiting',
    handle: async ({ abort: { signal } }) => {
      arrived!();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted!();
      return json('nobody reads this');
    },
  });
  await start({}, { takeDirectory: holdDirectory({ ...parts(), routes: [waiting] }) });
  const call = request(`${runningServer!.url}/waiting`).on('error', () => {});
  call.end();
  await here;
  call.destroy();
  await expect(gone).resolves.toBeUndefined();
});
