import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { linkTo } from '@millrace/alerts/outbox/links';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { consoleSite } from './console-site.js';

let world: TestServer;
beforeAll(async () => {
  world = await createTestServer({
    site: {
      'assets/app-1a2b.js': 'plain',
      'assets/app-1a2b.js.br': 'small',
      'assets/app-1a2b.js.gz': 'smaller than nothing',
      'favicon.svg': '<svg/>',
    },
  });
});
afterAll(() => world.close());

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  world.inject({ method: 'GET', url, headers });

describe('the page', () => {
  test('is where a browser is led that opens the address; programs are answered as ever', async () => {
    expect(await get('/', browser)).toMatchObject({ status: 302, headers: { location: '/console/' } });
    expect(await get('/')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('GET / not found') },
    });
    expect((await get('/', { accept: 'application/json' })).status).toBe(404);
  });

  test.each(['/console', '/console/', '/console/query?q=logs', '/console/event/logs.eu/1', '/console/trace/a/b'])(
    '%s is the same page, which routes on the client',
    async (url) => {
      const { status, headers, text } = await get(url, browser);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      const policy = String(headers['content-security-policy']);
      const [, nonce] = /style-src 'self' 'nonce-([\w-]+)'/.exec(policy)!;
      expect(text).toContain(`nonce="${nonce}"`);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    },
  );

  test('has another nonce each time', async () => {
    const [first, second] = [await get('/console/'), await get('/console/')];
    expect(first.text).not.toBe(second.text);
  });

  test('is not returned for a missing file or route', async () => {
    for (const url of ['/console/assets/app-0000.js', '/console/robots.txt', '/console/api', '/console/api/v9/nothing'])
      expect((await get(url)).status).toBe(404);
    // A missing script is a 404 for every client.
    expect((await get('/console/assets/app-0000.js', browser)).status).toBe(404);
  });

  test('says how to build it when it is not built', async () => {
    const unbuilt = await createTestServer({ site: { 'index.html': undefined } });
    const { status, text } = await unbuilt.inject({ method: 'GET', url: '/console/query', headers: browser });
    expect([status, text]).toEqual([503, expect.stringContaining('<code>npm run build</code>')]);
    await unbuilt.close();
  });
});

describe('behind a proxy that removes a path', () => {
  const page = '<link href="./icon.svg"><script src="./assets/app-1a2b.js"></script>';

  test.each(['', '/', '/console', '/console/', '/logs', '/a/console/b/', '/logs/console'])(
    'links with the address https://logs.example%s open a page whose files are there',
    async (end) => {
      const consoleUrl = `https://logs.example${end}`;
      const site = { 'index.html': page, 'icon.svg': '<svg/>', 'assets/app-1a2b.js': '' };
      const behind = await createTestServer({ site, settings: { consoleUrl } });
      onTestFinished(() => behind.close());
      const prefix = end.replace(/\/(console)?\/?$/, '').replace(/\/console$/, '');
      /** What the proxy makes of an address. */
      const open = (url: string) => {
        const { pathname } = new URL(url, 'https://logs.example');
        expect(pathname.slice(0, prefix.length)).toBe(prefix);
        const headers = { ...browser, host: 'logs.example' };
        return behind.inject({ method: 'GET', url: pathname.slice(prefix.length), headers });
      };
      const { status, text } = await open(linkTo('mon_1', consoleUrl, '1795262400000')!);
      const files = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path);
      expect([status, files]).toEqual([200, [`${prefix}/console/icon.svg`, `${prefix}/console/assets/app-1a2b.js`]]);
      for (const file of files) expect((await open(file)).status).toBe(200);
      // Who opens the server directly finds the page, too.
      const direct = await behind.inject({ method: 'GET', url: '/console/monitors/mon_1', headers: browser });
      expect(direct.text).toContain('href="/console/icon.svg"');
      const root = await behind.inject({ method: 'GET', url: '/', headers: { ...browser, host: 'logs.example' } });
      expect(root.headers['location']).toBe(`${prefix}/console/`);
    },
  );
});

describe('files', () => {
  test('with content hashes in their names are cached forever', async () => {
    expect(await get('/console/assets/app-1a2b.js')).toMatchObject({
      status: 200,
      text: 'plain',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      },
    });
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br', 'small'],
    ['gzip', 'gzip', 'smaller than nothing'],
    ['identity', undefined, 'plain'],
  ])('%s: are sent as small as the browser can read them', async (accepted, encoding, text) => {
    const reply = await get('/console/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect([reply.headers['content-encoding'], reply.text]).toEqual([encoding, text]);
  });

  test('without hashes are revalidated and sent if changed', async () => {
    const { headers } = await get('/console/favicon.svg');
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
    const again = await get('/console/favicon.svg', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('lie in the directory of the console and nowhere else', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'console-'));
    writeFileSync(join(directory, 'index.html'), 'page');
    writeFileSync(join(directory, '.env'), 'secret');
    const site = consoleSite({ consoleDir: directory });
    expect(String(await site.read('index.html'))).toBe('page');
    for (const path of [
      '.env',
      '../etc/passwd',
      'a/../index.html',
      '',
      'a//index.html',
      './index.html',
      'index.html\0',
    ])
      expect(await site.read(path)).toBeUndefined();
    rmSync(directory, { recursive: true });
  });
});
