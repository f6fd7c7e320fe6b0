import { readFileSync, existsSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/**
 * Serves the built console in front of a server, until the server does it itself: files with their policy, sessions, and the routes below
 * `/console/api`.
 */
const site = join(import.meta.dirname, '../../dist/site');

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-test'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types millrace-worker',
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export async function startGateway(server: {
  readonly url: string;
  readonly token: string;
}): Promise<{ url: string; close(): void }> {
  const sessions = new Map<string, string>();
  const gateway = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://gateway');
    if (url.pathname.startsWith('/console/api/')) return void api(incoming, outgoing, url);
    const path = join(site, url.pathname.replace(/^\/console\//, ''));
    const file = extname(path) !== '' && existsSync(path) ? path : join(site, 'index.html');
    const type = types[extname(file)];
    if (type !== undefined)
      return outgoing
        .setHeader('content-type', type)
        .setHeader('cache-control', 'public, max-age=31536000, immutable')
        .end(readFileSync(file));
    outgoing.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
    return outgoing.end(readFileSync(file, 'utf8').replaceAll('__CSP_NONCE__', 'test'));
  });

  const refuse = (outgoing: ServerResponse): void => {
    outgoing.writeHead(403, { 'content-type': 'application/json', 'x-millrace-error': 'unauthenticated' });
    outgoing.end(JSON.stringify({ code: 403, message: 'the token is not known' }));
  };

  const asked = (token: string, path: string): Promise<Response> =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });

  async function api(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Promise<void> {
    const path = url.pathname.replace('/console/api', '');
    if (path === '/session') {
      const token = String(incoming.headers.authorization).replace('Bearer ', '');
      if (!(await asked(token, '/v2/datasets')).ok) return refuse(outgoing);
      const id = String(sessions.size + 1);
      sessions.set(id, token);
      outgoing.writeHead(200, {
        'set-cookie': `millrace=${id}; HttpOnly; Path=/console/api`,
        'content-type': 'application/json',
      });
      return void outgoing.end('{}');
    }
    const id = /millrace=(\d+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? '';
    const token = sessions.get(id);
    if (token === undefined || incoming.headers['x-millrace-console'] !== '1') return refuse(outgoing);
    if (path === '/v2/sessions/current') {
      sessions.delete(id);
      return void outgoing.writeHead(204).end();
    }
    if (path === '/v2/catalogue')
      return void outgoing.setHeader('content-type', 'application/json').end(await catalogue(token));
    const { cookie: _, host: __, ...headers } = incoming.headers;
    const forwarded = request(
      server.url + path + url.search,
      { method: incoming.method, headers: { ...headers, authorization: `Bearer ${token}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }

  async function catalogue(token: string): Promise<string> {
    const [datasets, user] = (await Promise.all(
      ['/v2/datasets', '/v2/user'].map(async (path) => (await asked(token, path)).json()),
    )) as [readonly { name: string }[], { id: string; name: string }];
    const all = ['create', 'read', 'update', 'delete'];
    const everything = (...names: string[]) => Object.fromEntries(names.map((name) => [name, all]));
    return JSON.stringify({
      principal: { kind: 'personal-token', tokenId: 't', tokenName: 'owner', userId: user.id, userName: user.name },
      capabilities: [
        {
          datasetCapabilities: {
            '*': everything('ingest', 'query', 'starredQueries', 'virtualFields', 'trim', 'vacuum', 'data', 'share'),
          },
          orgCapabilities: everything(
            'annotations',
            'apiTokens',
            'auditLog',
            'dashboards',
            'datasets',
            'monitors',
            'notifiers',
            'rbac',
            'users',
            'views',
          ),
          viewCapabilities: {},
        },
      ],
      settings: { autoCreateDatasets: false, maxUrlBytes: 16384, version: '0' },
      datasets: await Promise.all(
        datasets.map(async (dataset) => ({
          ...dataset,
          locked: false,
          fields: await (await asked(token, `/v2/datasets/${dataset.name}/fields`)).json(),
        })),
      ),
      virtualFields: [],
      views: [],
    });
  }

  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => gateway.close() };
}
