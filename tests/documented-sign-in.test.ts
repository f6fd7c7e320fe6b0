import { createServer, request as send, type Server } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followProvider, openTestProvider } from '@millrace/server/testing/sign-in-provider';
import { freePort } from './support/free-port.ts';
import { root } from './support/root.ts';
import { removeDirectory, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * The first sign-in file of docs/sign-in.md on a new server, with another issuer and host: at the
 * root of an address, and below a path that a proxy removes.
 */

const documentation = readFileSync(join(root, 'docs/sign-in.md'), 'utf8');
const [, example = ''] = /```json\n(.*?)```/s.exec(documentation) ?? [];

/** A proxy that removes a path. */
async function openProxy(port: number, prefix: string, target: number): Promise<Server> {
  const proxy = createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const forwarded = send(
      { port: target, host: '127.0.0.1', method, headers, path: url.slice(prefix.length) },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(forwarded);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

/** Cookies with their paths, as a browser keeps them. */
class Cookies {
  readonly #all = new Map<string, { readonly value: string; readonly path: string }>();

  keep(response: Response): void {
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#all.set(name, { value, path: /;\s*path=([^;]*)/i.exec(set)?.[1] ?? '/' });
    }
  }

  for(url: string): string {
    const { pathname } = new URL(url);
    const sent = [...this.#all].filter(([, { path, value }]) => value !== '' && pathname.startsWith(path));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }
}

test.each(['', '/tools/logs'])(
  'the documented file signs a new user in below %j',
  async (prefix) => {
    const directory = temporaryDirectory();
    const port = await freePort();
    const serverPort = prefix === '' ? port : await freePort();
    const base = `http://127.0.0.1:${port}${prefix}`;
    const provider = await openTestProvider({
      clientId: '0oa1b2c3',
      clientSecret: 'hush',
      redirectUri: `${base}/sign-in/okta/callback`,
    });
    const config = join(directory, 'config');
    mkdirSync(config);
    writeFileSync(join(config, 'okta.secret'), 'hush\n');
    expect(example).toContain('https://example.okta.com');
    // The provider of this test has no scope of this name.
    const file = example.replace('https://example.okta.com', provider.issuer).replace(' groups",', '",');
    writeFileSync(join(config, 'sign-in.json'), file);
    const server = await startServer(join(directory, 'data'), {
      MILLRACE_PORT: String(serverPort),
      MILLRACE_CONSOLE_URL: base,
      MILLRACE_SIGN_IN_FILE: join(config, 'sign-in.json'),
    });
    const proxy = prefix === '' ? undefined : await openProxy(port, prefix, serverPort);
    try {
      const cookies = new Cookies();
      const get = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> => {
        const response = await fetch(url, { redirect: 'manual', headers: { ...headers, cookie: cookies.for(url) } });
        cookies.keep(response);
        return response;
      };
      const methods = await (await get(`${base}/v2/sign-in-methods`)).json();
      expect(methods).toMatchObject({ providers: [{ id: 'okta', name: 'Sign in with Okta', path: '/sign-in/okta' }] });
      const signIn = async (): Promise<string> => {
        const begun = await get(`${base}/sign-in/okta`);
        expect(begun.status).toBe(303);
        const back = await followProvider(begun.headers.get('location')!);
        const finished = await get(back.href);
        expect(finished.status).toBe(303);
        return new URL(finished.headers.get('location')!, base).href;
      };
      provider.account = { sub: 'eve', claims: { email: 'eve@example.com', email_verified: false, groups: [] } };
      expect(await signIn()).toContain('sign-in');
      const claims = { name: 'Ada', email: 'ada@example.com', email_verified: true, groups: ['logs-admins'] };
      provider.account = { sub: 'ada', claims };
      expect(await signIn()).toBe(`${base}/console/`);
      const page = await get(`${base}/console/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      const user = await get(`${base}/console/api/v2/user`, {
        'x-millrace-console': '1',
        'sec-fetch-site': 'same-origin',
      });
      expect([user.status, await user.json()]).toEqual([200, expect.objectContaining({ email: 'ada@example.com' })]);
      const users = await fetch(`${base}/v2/users`, { headers: { authorization: `Bearer ${server.token}` } });
      const roles = ((await users.json()) as readonly { readonly email: string; readonly role: unknown }[])
        .filter(({ email }) => email === 'ada@example.com')
        .map(({ role }) => role);
      expect(JSON.stringify(roles)).toContain('admin');
    } finally {
      proxy?.closeAllConnections();
      proxy?.close();
      await server.stop();
      await provider.close();
      removeDirectory(directory);
    }
  },
  120_000,
);
