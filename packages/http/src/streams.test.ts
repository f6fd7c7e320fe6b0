import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * HTTP/1.0, which a proxy may use even if its client uses HTTP/1.1, has no chunks: a response would
 * end wherever the connection does.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('logs', [{ n: 1 }]);
});
afterAll(() => world.close());

/** The complete response to a GET over a version of HTTP, as text. */
const get = (path: string, version: '1.0' | '1.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('error', reject).on('data', (piece: Buffer) => (text += piece.toString()));
    socket.on('close', () => resolve(text));
    socket.write(
      `GET ${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${world.owner}\r\n\r\n`,
    );
  });

it.each([
  ['/v1/export?apl=logs', '"n":1'],
  ['/v1/backup/metadata', 'SQLite format 3'],
  ['/v1/backup/datasets/1?upTo=1', 'PAR1'],
])('%s is refused over HTTP/1.0, where an answer that broke off would look complete', async (path, content) => {
  const refused = await get(path, '1.0');
  expect(refused).toMatch(/^HTTP\/1\.1 426 /);
  // A proxy would pass it on, and clients reject it in HTTP/2.
  expect(refused).not.toMatch(/\r\nupgrade:/i);
  expect(refused).toContain('proxy_http_version 1.1');
  const answered = await get(path, '1.1');
  expect(answered).toMatch(/^HTTP\/1\.1 200 /);
  expect(answered).toContain(content);
});

it.each(['/v1/backup/metadata', '/v1/backup/datasets/1?upTo=1'])(
  'HEAD of %s is refused: it would read everything for nothing',
  async (path) => {
    const { status, headers } = await world.send('HEAD', path);
    expect([status, headers.get('allow')]).toEqual([405, expect.not.stringContaining('HEAD')]);
  },
);

it('everything else is answered over HTTP/1.0', async () => {
  expect(await get('/v2/datasets', '1.0')).toMatch(/^HTTP\/1\.1 200 [^]*"name":"logs"/);
});
