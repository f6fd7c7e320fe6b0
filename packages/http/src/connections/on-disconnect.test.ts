import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { onDisconnect } from './on-disconnect.js';

test('a closed connection truncates its current response, drops the queued ones and none that was complete', async () => {
  const app = fastify();
  const cut: string[] = [];
  let checks = 0;
  app.get('/:name', (request, reply) => {
    const { name } = request.params as { readonly name: string };
    checks++;
    onDisconnect(request, reply, () => cut.push(name));
    if (name === 'whole') void reply.send('whole');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(['whole', 'first', 'behind', 'last'].map((name) => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await once(socket, 'data');
  await expect.poll(() => checks).toBe(4);
  socket.destroy();
  await expect.poll(() => cut.toSorted()).toEqual(['behind', 'first', 'last']);
  await app.close();
});
