import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './support/root.ts';
import {
  enginePid,
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/** The published package, installed by npm in an empty directory: no file of the clone is used. */

// The install unpacks the engine, half a gigabyte.
const installMilliseconds = 500_000;

const directory = temporaryDirectory();
const installed = join(directory, 'node_modules', 'millrace');
let server: ServerProcess;

/** npm reads no settings but those given, and creates nothing in the user's home. */
const environment = {
  PATH: process.env['PATH'],
  HOME: directory,
  npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
  npm_config_registry: execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim(),
};
const npm = (...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd: directory, env: environment, encoding: 'utf8' });

/** Runs `npx millrace` as a user of the server, and returns its standard output. */
const npx = (args: readonly string[], input = ''): string =>
  execFileSync('npx', ['--no-install', 'millrace', ...args], {
    cwd: directory,
    env: { ...environment, MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token },
    encoding: 'utf8',
    input,
  });

const tarball = (name: string): string => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  return join(root, 'release', 'dist', `${name}-${version}.tgz`);
};

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'release', 'pack.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', tarball('millrace'), tarball('millrace-client'));
  server = await startServer(join(directory, 'data'), {}, { program: join(installed, 'bin', 'millrace.js') });
}, installMilliseconds);
afterAll(async () => {
  await server?.kill();
  removeDirectory(directory);
});

describe('the installed package', () => {
  it('names no file of the clone', () => {
    const names = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => name.endsWith('.map') || readFileSync(name).includes(root))).toEqual([]);
  });

  it('runs its own engine', () => {
    const [, script = ''] = readFileSync(`/proc/${enginePid(server)}/cmdline`, 'utf8').split('\0');
    expect(script.startsWith(installed)).toBe(true);
  });

  it('has the command', () => {
    npx(['dataset', 'create', 'logs']);
    npx(['ingest', 'logs'], '{"status":200}\n{"status":500}\n');
    expect(JSON.parse(npx(['query', 'logs | where status >= 500 | count', '--format', 'ndjson']))).toEqual({
      count: 1,
    });
  });

  it('encodes and compiles in its own threads', async () => {
    const events = Array.from({ length: 50_000 }, (_, id) => `{"id":${id},"text":"event ${id}"}`).join('\n');
    const { body } = await request(server, '/v1/datasets/logs/ingest', {
      body: events,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(body).toMatchObject({ ingested: 50_000, failed: 0 });
  });

  it('has the console', async () => {
    const page = await fetch(`${server.url}/console/`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const loaded = await fetch(server.url + script);
    expect(loaded.status).toBe(200);
    expect(loaded.headers.get('content-type')).toContain('javascript');
  });

  it('opens no file of the clone', () => {
    const opened = readdirSync(`/proc/${server.process.pid}/fd`).map((name) => {
      try {
        return readlinkSync(`/proc/${server.process.pid}/fd/${name}`);
      } catch {
        return '';
      }
    });
    const mapped = readFileSync(`/proc/${server.process.pid}/maps`, 'utf8');
    expect(mapped).toContain(directory);
    expect([...opened, mapped].filter((path) => path.includes(`${root}/`))).toEqual([]);
  });

  it('stops when asked to', async () => expect(await server.stop()).toBe(0));

  it('has the client', () => {
    const program = `import { createClient } from '@millrace/client'; console.log(typeof createClient({ url: 'http://localhost', token: 't' }).call)`;
    const run = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, run, { cwd: directory, encoding: 'utf8' })).toBe('function\n');
  });
});
