import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectionLimit } from './connection-limit.js';
import { SilentConnections } from './idle-connections.js';

test.each([
  ['what is wanted', 100, 10_000, 100],
  ['what descriptors leave', 10_000, 1024, 768],
  ['half of very few descriptors', 10_000, 100, 50],
])('the limit is %s', (_, wanted, files, limit) => expect(connectionLimit(wanted, files)).toBe(limit));

test('beyond the limit the oldest silent connection is closed, and the new one when none is silent', async () => {
  const server = createServer((_, answer) => void answer.write('begun'));
  const silentOnes = new SilentConnections(server, false, 2);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket): Promise<void> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
  };
  const silent = await open();
  const first = await open();
  await ask(first);
  const second = await open();
  await once(silent.resume(), 'close');
  await ask(second);
  await once((await open()).resume(), 'close');
  expect([first.destroyed, second.destroyed]).toEqual([false, false]);
  silentOnes.close();
  sockets.forEach((socket) => socket.destroy());
  server.close();
});
