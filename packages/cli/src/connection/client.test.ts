import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { commands } from '../commands/every-command.js';
import { run } from '../run.js';
import { cert, key } from '@millrace/http/testing/localhost-certificate';
import { memoryIo } from '../testing/memory-io.js';

/** Connection errors and their hints. */

let server: Server | undefined;
afterEach(() => new Promise<unknown>((closed) => (server === undefined ? closed(undefined) : server.close(closed))));

async function listen(made: Server): Promise<number> {
  server = made;
  await new Promise<void>((ready) => made.listen(0, '127.0.0.1', ready));
  return (made.address() as AddressInfo).port;
}

async function complaintAbout(url: string): Promise<string> {
  const io = memoryIo({ env: { MILLRACE_URL: url, MILLRACE_TOKEN: 'xaat-x' } });
  expect(await run(['dataset', 'list'], commands, io)).toBe(5);
  expect(io.written.err.startsWith(`millrace: cannot reach ${url}: `)).toBe(true);
  return io.written.err;
}

/** How a TLS server treats plain HTTP, and a plain server treats TLS. */
const hangingUp = () => createServer((socket) => socket.once('data', () => socket.end()));
const plain = () => createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));

test.each(['http://ada:secret@127.0.0.1:1', 'http://127.0.0.1:1/?x=1', 'http://127.0.0.1:1#x'])(
  'a URL with more than an address, %s',
  async (url) => {
    const io = memoryIo({ env: { MILLRACE_URL: url, MILLRACE_TOKEN: 'xaat-x' } });
    expect(await run(['dataset', 'list'], commands, io)).toBe(2);
    expect(io.written.err).toContain('neither a user nor parameters');
    expect(io.written.err).not.toContain('secret');
  },
);

test.each(['http://127.0.0.1:10080', 'https://localhost:6667/x'])('a port that fetch rejects, %s', async (url) => {
  const io = memoryIo({ env: { MILLRACE_URL: url, MILLRACE_TOKEN: 'xaat-x' } });
  expect(await run(['query', 'logs'], commands, io)).toBe(2);
  expect(io.written.err).toBe(
    `millrace: port ${new URL(url).port} is one that browsers, and this command, send nothing to, because it belongs to another protocol; start the server with another --port\n`,
  );
});

test('redirects are neither followed nor retried', async () => {
  let requests = 0;
  const elsewhere = createServer((socket) =>
    socket.once('data', () => {
      requests++;
      socket.end('HTTP/1.1 301 Moved Permanently\r\nLocation: https://example.com/\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  const url = `http://127.0.0.1:${await listen(elsewhere)}`;
  const io = memoryIo({ env: { MILLRACE_URL: url, MILLRACE_TOKEN: 'xaat-x' }, input: ['{}'] });
  expect([await run(['ingest', 'logs'], commands, io), requests]).toEqual([2, 1]);
  expect(io.written.err).toBe(
    `millrace: ${url} answers that the server is elsewhere, and the token is not taken there unasked; name the address that it leads to, which may be the same with https:// in place of http://\n`,
  );
});

test.each([502, 504])('a proxy whose server is down, %i', async (status) => {
  const proxy = createServer((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 ${status} Away\r\nContent-Length: 6\r\n\r\n<html>`)),
  );
  const env = { MILLRACE_URL: `http://127.0.0.1:${await listen(proxy)}`, MILLRACE_TOKEN: 'xaat-x' };
  const io = memoryIo({ env });
  expect(await run(['dataset', 'list'], commands, io)).toBe(5);
  expect(io.written.err).toBe(`millrace: the server answered ${status} Away\n`);
});

test('https to a server without TLS', async () =>
  expect(await complaintAbout(`https://127.0.0.1:${await listen(plain())}`)).toMatch(
    /: what listens there does not speak TLS; try http:\/\/ in place of https:\/\/\n$/,
  ));

test('http to a server with TLS', async () =>
  expect(await complaintAbout(`http://127.0.0.1:${await listen(hangingUp())}`)).toMatch(
    /; if what listens there speaks TLS, write https:\/\/ in place of http:\/\/\n$/,
  ));

test('an untrusted certificate', async () =>
  expect(await complaintAbout(`https://localhost:${await listen(createTlsServer({ cert, key }))}`)).toMatch(
    /certificate; to trust it, name a PEM file of it, or of who signed it, in NODE_EXTRA_CA_CERTS\n$/,
  ));

test('an aborted response names the log line with the reason', async () => {
  const cut = createServer((socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nX-Axiom-Trace-Id: ab12\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n'),
    ),
  );
  const url = `http://127.0.0.1:${await listen(cut)}`;
  const io = memoryIo({ env: { MILLRACE_URL: url, MILLRACE_TOKEN: 'xaat-x' } });
  expect(await run(['dataset', 'list'], commands, io)).toBe(5);
  expect(io.written.err).toContain(`${url} closed the connection mid-response: `);
  expect(io.written.err).toContain('; if the server ended it, its log says why under trace id ab12\n');
});
