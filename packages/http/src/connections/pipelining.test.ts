import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { PipelinedRequests } from './pipelining.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The test sends the responses. */
async function startServer() {
  const begun = new Map<string, ServerResponse>();
  let come = 0;
  const line = new PipelinedRequests();
  server = createServer((request, answer) => {
    come++;
    line.add(request.socket, answer, () => begun.set(request.url!, answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { begun, come: () => come };
}

/** Sends requests for these paths at once. */
function send(...paths: readonly string[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.resume().write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}

test('requests of one connection begin one after the other, and wait for no other connection', async () => {
  const { begun, come } = await startServer();
  const socket = send('/1', '/2', '/3');
  await expect.poll(come).toBe(3);
  expect([...begun.keys()]).toEqual(['/1']);
  begun.get('/1')!.end();
  await expect.poll(() => [...begun.keys()]).toEqual(['/1', '/2']);
  const other = send('/other');
  await expect.poll(() => [...begun.keys()]).toEqual(['/1', '/2', '/other']);
  begun.get('/2')!.end();
  await expect.poll(() => begun.has('/3')).toBe(true);
  begun.get('/3')!.end();
  // After that the connection is reusable.
  socket.write('GET /4 HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => begun.has('/4')).toBe(true);
  other.destroy();
  socket.destroy();
});

test('queued requests of a closed connection never start', async () => {
  const { begun, come } = await startServer();
  const socket = send('/1', '/2', '/3');
  await expect.poll(come).toBe(3);
  const closed = once(begun.get('/1')!, 'close');
  socket.destroy();
  await closed;
  const last = send('/last');
  await expect.poll(() => begun.has('/last')).toBe(true);
  expect([...begun.keys()]).toEqual(['/1', '/last']);
  last.destroy();
});
