import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cert, key } from '@millrace/http/testing/localhost-certificate';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';
import { freePort } from './support/free-port.ts';
import { root } from './support/root.ts';

/**
 * The proxies of docs/operations.md, as written there, and the balancer of deploy/cluster: each is
 * started and signed into.
 */

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');

/** The example in a language. */
function exampleIn(language: string): string {
  const [, text] = new RegExp('```' + language + '\n(.*?)```', 's').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/operations.md has no example in ${language}`);
  return text;
}

/** The example with other ports and paths; each of them has to be there. */
function withPlaces(text: string, places: Readonly<Record<string, string>>): string {
  let changed = text;
  for (const [from, to] of Object.entries(places)) {
    expect(text).toContain(from);
    changed = changed.replaceAll(from, to);
  }
  return changed;
}

interface Places {
  readonly directory: string;
  readonly certificate: string;
  readonly key: string;
  /** Of the proxy, and of the server. */
  readonly port: number;
  readonly server: number;
}

interface Proxy {
  readonly program: string;
  /** Name and text of the configuration file. */
  readonly configuration: (places: Places) => readonly [name: string, text: string];
  readonly args: (file: string, places: Places) => readonly string[];
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: 'nginx',
    configuration: ({ directory, certificate, key: keyFile, port, server }) => {
      const example = withPlaces(exampleIn('nginx'), {
        '127.0.0.1:8080': `127.0.0.1:${server}`,
        'listen 443': `listen 127.0.0.1:${port}`,
        '/etc/millrace/cert.pem': certificate,
        '/etc/millrace/key.pem': keyFile,
      });
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${directory}/${name};`,
      );
      const main = `daemon off; pid ${directory}/pid; error_log stderr; events {}`;
      return ['nginx.conf', `${main}\nhttp { access_log off; ${paths.join(' ')}\n${example} }\n`];
    },
    args: (file, { directory }) => ['-e', 'stderr', '-p', directory, '-c', file],
  },
  Caddy: {
    program: 'caddy',
    configuration: ({ certificate, key: keyFile, port, server }) => {
      const example = withPlaces(exampleIn('caddyfile'), {
        'millrace.example.com {': `https://localhost:${port} {\n  tls ${certificate} ${keyFile}`,
        '127.0.0.1:8080': `127.0.0.1:${server}`,
      });
      return ['Caddyfile', `{\n  admin off\n  auto_https disable_redirects\n}\n${example}`];
    },
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  Traefik: {
    program: 'traefik',
    configuration: ({ certificate, key: keyFile, server }) => {
      const example = withPlaces(exampleIn('yaml\n# Traefik[^\n]*'), {
        '127.0.0.1:8080': `127.0.0.1:${server}`,
        'millrace.example.com': 'localhost',
      });
      const certificates = `tls: { certificates: [{ certFile: ${certificate}, keyFile: ${keyFile} }] }`;
      return ['traefik.yaml', `${example}${certificates}\n`];
    },
    args: (file, { port }) => [
      `--entryPoints.websecure.address=127.0.0.1:${port}`,
      '--entryPoints.websecure.transport.respondingTimeouts.readTimeout=0',
      `--providers.file.filename=${file}`,
    ],
  },
  HAProxy: {
    program: 'haproxy',
    configuration: ({ directory, port, server }) => {
      writeFileSync(join(directory, 'both.pem'), `${cert}${key}`);
      const example = withPlaces(exampleIn('haproxy'), {
        'bind :443': `bind 127.0.0.1:${port}`,
        '/etc/millrace/both.pem': join(directory, 'both.pem'),
        '127.0.0.1:8080': `127.0.0.1:${server}`,
      });
      return ['haproxy.cfg', example];
    },
    args: (file) => ['-db', '-f', file],
  },
  HAProxyForNodes: {
    program: 'haproxy',
    configuration: ({ directory, port, server }) => {
      writeFileSync(join(directory, 'both.pem'), `${cert}${key}`);
      const example = withPlaces(readFileSync(join(root, 'deploy/cluster/haproxy.cfg'), 'utf8'), {
        'bind :8443': `bind 127.0.0.1:${port}`,
        '/usr/local/etc/haproxy/both.pem': join(directory, 'both.pem'),
        // Programs without TLS are not tested here.
        'bind :8080': `bind unix@${join(directory, 'plain')}`,
        'millrace1:8080': `127.0.0.1:${server}`,
      });
      return ['haproxy.cfg', example];
    },
    args: (file) => ['-db', '-f', file],
  },
};

let world: TestServer;
let server: number;
let directory: string;
beforeAll(async () => {
  world = await createTestServer({ settings: { trustedProxies: ['127.0.0.1'] } });
  server = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port);
  directory = mkdtempSync(join(tmpdir(), 'millrace-proxies-'));
  writeFileSync(join(directory, 'cert.pem'), cert);
  writeFileSync(join(directory, 'key.pem'), key);
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true });
});

/** Debian has some of them where only the administrator looks for programs. */
const directories = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
const pathOf = (program: string): string | undefined =>
  directories.map((each) => join(each, program)).find((file) => isExecutable(file));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the proxy accepts connections. */
async function accepts(port: number, proxy: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(`the proxy ended: ${output()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Reply {
  readonly status: number | undefined;
  readonly cookie: string;
  readonly type: string | undefined;
  readonly text: string;
}

/** The client's address, which is not the proxy's. */
const localAddress = '127.0.0.2';

/** Sends a request through the proxy. */
const send = (port: number, method: string, path: string, headers: object, body?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        path,
        method,
        ca: cert,
        localAddress,
        headers: { host: `localhost:${port}`, ...headers },
      },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (part: string) => void (text += part))
          .once('error', reject)
          .once('end', () => {
            const { 'set-cookie': [cookie = ''] = [], 'content-type': type } = response.headers;
            resolve({ status: response.statusCode, cookie, type, text });
          });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });

test.for(Object.entries(proxies))('the example for %s', async ([name, example], { skip }) => {
  const { program, configuration, args } = example;
  const path = pathOf(program);
  if (path === undefined) return skip(`${program} is not installed`);
  const places = {
    directory: join(directory, name),
    certificate: join(directory, 'cert.pem'),
    key: join(directory, 'key.pem'),
    port: await freePort(),
    server,
  };
  mkdirSync(places.directory);
  const [file, text] = configuration(places);
  const configured = join(places.directory, file);
  writeFileSync(configured, text);
  let output = '';
  const home = { HOME: places.directory, XDG_DATA_HOME: places.directory, XDG_CONFIG_HOME: places.directory };
  const proxy = spawn(path, args(configured, places), { env: { ...process.env, ...home } });
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (part: Buffer) => void (output += String(part)));
  onTestFinished(async () => {
    if (proxy.exitCode !== null) return;
    proxy.kill();
    await once(proxy, 'exit');
  });
  await accepts(places.port, proxy, () => output);

  const { port } = places;
  const fromPage = {
    origin: `https://localhost:${port}`,
    'sec-fetch-site': 'same-origin',
    'x-millrace-console': '1',
    // What a client claims must not count.
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'http',
  };
  const signedIn = await send(port, 'POST', '/console/api/session', {
    ...fromPage,
    authorization: `Bearer ${world.owner}`,
    'content-length': 0,
  });
  expect(signedIn, output).toMatchObject({ status: 200 });
  expect(signedIn.cookie).toMatch(/^__Secure-millrace.*; Secure$/);

  const cookie = signedIn.cookie.split(';')[0]!;
  const sessions = await send(port, 'GET', '/console/api/v2/sessions', { ...fromPage, cookie });
  expect(sessions.status).toBe(200);
  const current = (JSON.parse(sessions.text) as readonly { readonly current: boolean }[]).find((one) => one.current);
  expect(current).toMatchObject({ address: localAddress });

  // The server's limits apply, and not the proxy's.
  const body = JSON.stringify({ datasets: ['d'], type: 'x', title: 'x'.repeat(2_000_000) });
  const long = await send(
    port,
    'POST',
    '/console/api/v2/annotations',
    { ...fromPage, cookie, 'content-type': 'application/json', 'content-length': body.length },
    body,
  );
  expect(long).toMatchObject({ status: 400, type: expect.stringContaining('application/json') as string });
});
