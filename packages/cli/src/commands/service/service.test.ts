import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { run } from '../../run.js';
import { serviceUnit, unitPath } from '../../service/unit.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-service-'));
afterAll(() => rmSync(directory, { recursive: true }));
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'root-'));
  mkdirSync(join(root, 'etc'));
});

/** Where a package manager installs for all users; the tests themselves run anywhere. */
const installedPaths = { node: '/usr/bin/node', program: '/usr/lib/node_modules/millrace/bin/millrace.js' };
const unit = serviceUnit({
  ...installedPaths,
  user: 'millrace',
  dataDir: '/var/lib/millrace',
  environmentFile: '/etc/millrace.env',
});

async function ran(...args: readonly string[]) {
  const io = memoryIo();
  const argv = process.argv;
  // The command names the program that runs it.
  process.argv = [argv[0]!, process.execPath];
  try {
    return { code: await run(args, commands, io), ...io.written };
  } finally {
    process.argv = argv;
  }
}

it('the printed unit is written, with a token of the owner that only root can read', async () => {
  const printed = await ran('service', 'install', '--print', '--root', root);
  const { code, out } = await ran('service', 'install', '--root', root);
  expect([code, readFileSync(join(root, unitPath), 'utf8')]).toEqual([0, printed.out]);
  const environment = join(root, 'etc', 'millrace.env');
  expect(readFileSync(environment, 'utf8')).toMatch(/^MILLRACE_ADMIN_TOKEN=xapt-[0-9a-f-]{36}\n$/);
  expect(statSync(environment).mode & 0o777).toBe(0o600);
  expect(out.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  useradd --system --home-dir /var/lib/millrace --no-create-home --shell /usr/sbin/nologin millrace',
    '  systemctl daemon-reload',
    '  systemctl enable --now millrace',
  ]);
});

it('another install keeps the settings, and an uninstall the data', async () => {
  writeFileSync(join(root, 'etc', 'passwd'), 'root:x:0:0::/root:/bin/sh\nevents:x:999:999::/:/usr/sbin/nologin\n');
  writeFileSync(join(root, 'etc', 'millrace.env'), 'MILLRACE_PORT=9\n');
  await ran('service', 'install', '--root', root);
  const { out } = await ran('service', 'install', '--root', root, '--user', 'events', '--data-dir', '/data', '--json');
  expect(JSON.parse(out)).toMatchObject({
    next: ['install -d -m 700 -o events /data', 'systemctl daemon-reload', 'systemctl enable --now millrace'],
  });
  expect(readFileSync(join(root, unitPath), 'utf8')).toContain('\nUser=events\nReadWritePaths=/data\n');
  expect((await ran('service', 'uninstall', '--root', root)).code).toBe(0);
  expect(readFileSync(join(root, 'etc', 'millrace.env'), 'utf8')).toBe('MILLRACE_PORT=9\n');
  const again = await ran('service', 'uninstall', '--root', root);
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('no service is installed')]);
});

it('a unit of another origin is neither replaced nor removed', async () => {
  const file = join(root, unitPath);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '[Unit]\n');
  for (const name of ['install', 'uninstall']) {
    const { code, err } = await ran('service', name, '--root', root);
    expect([code, err]).toEqual([1, expect.stringContaining('was not written by this command')]);
  }
  expect(readFileSync(file, 'utf8')).toBe('[Unit]\n');
});

it.each([
  ['--data-dir', 'data', /must be an absolute path/],
  ['--user', 'a b', /cannot be the name of a user/],
])('%s %s is a usage error', async (flag, value, message) => {
  const { code, err } = await ran('service', 'install', '--root', root, flag, value);
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});

it('words with spaces and specifiers are quoted', () => {
  const text = serviceUnit({ ...installedPaths, user: 'm', dataDir: '/a 100% "b"', environmentFile: '/e' });
  expect(text).toContain(String.raw`--data-dir "/a 100%% \"b\""`);
});

it('deploy/systemd has the unit of an install for all users', () => {
  const file = new URL('../../../../../deploy/systemd/millrace.service', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(unit);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd)('systemd accepts every line, and the server may do little', () => {
  const file = join(root, 'millrace.service');
  // It must name a program that exists.
  writeFileSync(file, unit.replaceAll(installedPaths.node, process.execPath));
  expect(spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const security = ['security', '--offline=true', '--threshold=20', file];
  expect(execFileSync('systemd-analyze', security, { encoding: 'utf8' })).toContain('Overall exposure level');
});
