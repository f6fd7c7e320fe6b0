import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '@millrace/http/settings/settings';
import { freePort } from '../../../../tests/support/free-port.js';
import { createTestServer } from '../testing/test-server.js';
import { consoleAddressProblem } from './console-address.js';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const problemAt = (
  consoleUrl: string | undefined,
  options: { readonly console?: boolean; readonly notifyTimeout?: number } = {},
) => consoleAddressProblem({ ...defaultSettings(options), consoleUrl });

test.each(['', '/', '/console', '/console/'])(
  'the address of the server with "%s" leads to its console',
  async (end) => {
    const world = await createTestServer({ site: { 'icon.svg': '<svg/>' } });
    onTestFinished(() => world.close());
    const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
    expect(await problemAt(url + end)).toBeUndefined();
    // The page of the console is there too, but it knows no such page.
    expect(await problemAt(`${url}/console/monitors`)).toBe(`${url}/console/monitors/console/icon.svg answers 404`);
  },
);

test.each<[string, RequestListener, RegExp]>([
  ['another program', (_, answer) => answer.setHeader('content-type', 'text/html').end('hello'), /answers with text\/html, which is not/], // prettier-ignore
  ['a proxy without the path', (_, answer) => answer.writeHead(404).end(), /answers 404/],
  ['a program that never answers', () => undefined, /no answer within 0\.3 s/],
])('%s is not the console', async (_, listener, problem) =>
  expect(await problemAt(await serve(listener), { notifyTimeout: 300 })).toMatch(problem),
);

test('a host that is away, a console that is off, no address', async () => {
  const away = `http://127.0.0.1:${await freePort()}`;
  expect(await problemAt(away)).toBe(`${away}/console/icon.svg: connection refused`);
  expect(await problemAt(away, { console: false })).toBe('the console is off (MILLRACE_CONSOLE)');
  expect(await problemAt(undefined)).toBeUndefined();
});
