import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from './one-server.ts';

/**
 * The official clients for Go, Python and Rust, from their registries, each in a program in that
 * language. Needs the toolchains and a network, so it is not part of `npm test`; missing toolchains
 * are reported.
 */

const run = promisify(execFile);
const here = import.meta.dirname;
const runMilliseconds = 240_000;
/** Rust compiles everything from source. */
const compileMilliseconds = 900_000;

const one = oneServer({});
const env = () => ({
  ...process.env,
  // A persistent build directory speeds up the next run.
  CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(buildDirectory, 'target'),
  AXIOM_URL: one.server.url,
  AXIOM_TOKEN: one.server.token,
  AXIOM_ORG_ID: 'any',
});

/** Whether a command is installed; prints a message if it is not. */
async function present(command: string, ...args: readonly string[]): Promise<boolean> {
  return run(command, args, { timeout: 10_000 }).then(
    () => true,
    () => {
      process.stdout.write(`not run: ${command} is not on this machine\n`);
      return false;
    },
  );
}

/** Build directory of the Rust program; cargo also writes next to it. */
const buildDirectory = await mkdtemp(join(tmpdir(), 'millrace-rust-'));
afterAll(() => rmSync(buildDirectory, { recursive: true, force: true }));

/** Runs a program until it ends. Returns an empty text if it succeeded, otherwise its output. */
const complaint = (
  command: string,
  args: readonly string[],
  cwd: string,
  timeout: number,
  more: Readonly<Record<string, string>> = {},
): Promise<string> =>
  run(command, args, { cwd, env: { ...env(), ...more }, timeout, maxBuffer: 1 << 26 }).then(
    () => '',
    ({ message, stdout, stderr }: Error & { stdout: string; stderr: string }) => `${message}\n${stdout}\n${stderr}`,
  );

const hasGo = await present('go', 'version');
const hasRust = await present('cargo', 'version');
const hasPython = await present('python3', '-c', 'import sys, venv; assert sys.version_info >= (3, 10)');

describe.skipIf(!hasGo)('axiom-go', () => {
  const go = (...args: readonly string[]) => complaint('go', args, join(here, 'go'), runMilliseconds);
  it('is fetched', async () => expect(await go('mod', 'download')).toBe(''), runMilliseconds);
  it('works unchanged', async () => expect(await go('test', '-count=1', './...')).toBe(''), runMilliseconds);
  it(
    'finds what its own live suites look for',
    async () => {
      const module = ['list', '-m', '-f', '{{.Dir}}', 'github.com/axiomhq/axiom-go'];
      const { stdout } = await run('go', module, { cwd: join(here, 'go'), timeout: runMilliseconds });
      const live = {
        AXIOM_INTEGRATION_TESTS: 'true',
        // The client of this version knows less than the interface documents, such as when a
        // dataset or a monitor was changed.
        AXIOM_DISABLE_STRICT_DECODING: 'true',
      };
      const suites = ['test', '-count=1', '-run', 'TestSuite$', './axiom'];
      expect(await complaint('go', suites, stdout.trim(), runMilliseconds, live)).toBe('');
    },
    runMilliseconds,
  );
});

describe.skipIf(!hasPython)('axiom-py', () => {
  const programs = join(here, 'python');
  let environment = '';
  beforeAll(async () => {
    environment = await mkdtemp(join(tmpdir(), 'millrace-python-'));
  });
  afterAll(() => rmSync(environment, { recursive: true, force: true }));
  const python = (...args: readonly string[]) =>
    complaint(join(environment, 'bin', 'python'), args, programs, runMilliseconds);

  it(
    'has an environment',
    async () => {
      expect(await complaint('python3', ['-m', 'venv', environment], programs, runMilliseconds)).toBe('');
    },
    runMilliseconds,
  );
  it(
    'is fetched',
    async () => {
      expect(await python('-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt')).toBe('');
    },
    runMilliseconds,
  );
  it('works unchanged', async () => expect(await python('-B', 'conformance.py')).toBe(''), runMilliseconds);
});

describe.skipIf(!hasRust)('axiom-rs', () => {
  const program = join(buildDirectory, 'program');
  beforeAll(() => cp(join(here, 'rust'), program, { recursive: true }));
  const cargo = (...args: readonly string[]) => complaint('cargo', args, program, compileMilliseconds);
  it('is compiled', async () => expect(await cargo('build', '--quiet')).toBe(''), compileMilliseconds);
  it('works unchanged', async () => expect(await cargo('run', '--quiet')).toBe(''), compileMilliseconds);
});
