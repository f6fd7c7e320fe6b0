import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '@millrace/http/settings/settings';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';
import type { MemoryGrant } from '../schedule/query-scheduler.js';
import { filesOf } from './external-files.js';

/**
 * Files on this machine, read through the whole server. Only 127.0.0.1 is allowed; the same files
 * are served at 127.0.0.2.
 */

const answers: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>> = {
  '/a.csv': (response) => response.end('ada,1\nbob,x\n'),
  '/bom.csv': (response) => response.end(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0a])),
  '/packed.csv.gz': (response) => response.end(gzipSync('ada,1\nbob,x\n')),
  '/packed.csv': (response) => response.end(gzipSync('x'.repeat(20_000))),
  '/large.csv': (response) => response.end('x'.repeat(20_000)),
  '/401.csv': (response) => response.writeHead(401).end('a secret'),
  '/moved.csv': (response, { headers }) =>
    response.writeHead(302, { location: `http://${headers.host!.replace('127.0.0.1', '127.0.0.2')}/a.csv` }).end(),
  '/broken.csv': (response) => response.writeHead(200, { 'content-length': 100 }).write('a', () => response.destroy()),
  '/stalls.csv': () => {},
  '/trickles.csv': (response) => {
    const timer = setInterval(() => response.write('a\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
};

describe('externaldata', () => {
  let world: EngineTestServer;
  const requestPaths: string[] = [];
  const servers = [createServer(), createServer()];
  let port = 0;
  beforeAll(async () => {
    for (const [i, server] of servers.entries()) {
      const address = `127.0.0.${i + 1}`;
      server.on('request', (request, response) => {
        requestPaths.push(`${address}${request.url}`);
        const path = new URL(request.url ?? '', 'http://x').pathname;
        const answer = answers[path];
        if (answer === undefined) response.writeHead(404).end('nothing here');
        else answer(response, request);
      });
      server.listen(port, address);
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    }
    world = await openEngineTestServer({
      externalDataHosts: ['127.0.0.1', 'localhost'],
      maxExternalDataBytes: 16_384,
      queryTimeout: 1000,
    });
  });
  afterAll(async () => {
    await world.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(() => {
    requestPaths.length = 0;
  });

  const send = (query: string) =>
    world.send<
      Tabular & { readonly message?: string; readonly detail?: { readonly line: number; readonly column: number } }
    >('POST', '/v1/datasets/_apl?format=tabular', { apl: query });
  const read = (path: string, schema = 'a:string, n:long') =>
    send(`externaldata (${schema}) ["http://127.0.0.1:${port}/${path}"] with (format="csv")`);

  it.each(['a.csv?a=1', 'packed.csv.gz'])('returns the contents of the file %s', async (path) => {
    const { status, body } = await read(path);
    expect([status, body.tables[0]!.columns]).toEqual([
      200,
      [
        ['ada', 'bob'],
        [1, null],
      ],
    ]);
    expect(requestPaths).toEqual([`127.0.0.1/${path}`]);
    const other = await read('bom.csv', 'a:dynamic');
    expect(other.body.tables[0]!.columns).toEqual([['a\ufffd']]);
  });

  it.each([
    '/gone.csv|http://127.0.0.2:PORT/a.csv',
    '/{a,b}.csv,http://127.0.0.2:PORT/a.csv',
    '/{1..3}.csv',
    '/*.csv',
    '/a.csv?x={b,c}|d',
    '/%7Bx',
  ])('asks one host, once: %s', async (path) => {
    await read(path.slice(1).replace('PORT', String(port)));
    expect(requestPaths).toHaveLength(1);
    expect(requestPaths[0]).toMatch(/^127\.0\.0\.1\//);
  });

  it.each([
    ['http://127.0.0.2:PORT/a.csv', 'this server does not read from 127.0.0.2'],
    ['http://127.0.0.1@127.0.0.2:PORT/a.csv', 'without user or password'],
    ['http://2130706434:PORT/a.csv', 'this server does not read from 127.0.0.2'],
    ['http://localhost.:PORT/a.csv', 'this server does not read from localhost.'],
    ['http://127.0.0.1:PORT/moved.csv', 'redirects to another address (status 302)'],
    ['http://127.0.0.1:PORT/404.csv', 'returned status 404'],
    ['http://127.0.0.1:PORT/401.csv', 'returned status 401'],
    ['http://127.0.0.1:PORT/broken.csv', 'fails or breaks off'],
    ['http://127.0.0.1:PORT/large.csv', 'have at most 16KiB together'],
    ['http://127.0.0.1:PORT/packed.csv', 'have at most 16KiB together'],
    ['https://127.0.0.1:PORT/a.csv', 'TLS handshake failed'],
    ['http://127.0.0.1:1/a.csv', 'cannot be read from 127.0.0.1:1'],
  ])('is refused where it is written: %s', async (address, problem) => {
    const { status, body } = await send(
      `print 1\n| join (externaldata (a:string) ["${address.replace('PORT', String(port))}"]) on a`,
    );
    expect([status, body.message]).toEqual([400, expect.stringContaining(problem)]);
    expect(body.detail).toMatchObject({ line: 2, column: 34 });
    expect(requestPaths.filter((path) => path.startsWith('127.0.0.2'))).toEqual([]);
  });

  it.each(['stalls.csv', 'trickles.csv'])('is over when the time of the query is: %s', async (path) => {
    expect((await read(path)).status).toBe(408);
    // The engine is not involved.
    expect((await send('print 1')).status).toBe(200);
  });

  it('is over when the query is stopped', async () => {
    const abort = new AbortController();
    const execution = {
      signal: abort.signal,
      runInSlot: <T>(work: (deadline: number, grant: MemoryGrant) => Promise<T>) =>
        work(performance.now() + 60_000, { memoryBytes: Infinity, statement: (ask) => ask() }),
    };
    const files = filesOf(execution, defaultSettings())([`http://127.0.0.1:${port}/stalls.csv`]);
    setTimeout(() => abort.abort(), 50);
    await expect(files).rejects.toMatchObject({ code: 'cancelled' });
  });
});
