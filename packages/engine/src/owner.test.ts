import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDirectory, recordOwner } from './owner.js';
import { testDirectory } from './testing/engines.js';

const machine = { hasProc: true, tellsRun: true, run: undefined as string | undefined };
const readReally = fs.readFileSync as (path: string, encoding: BufferEncoding) => string;

/**
 * Reads files of the simulated machine. `vi.mock` would not do: test files share their modules, and
 * another one may have loaded `owner.js` with the real file system.
 */
function read(path: string, encoding: BufferEncoding): string {
  if (!machine.hasProc && path.startsWith('/proc/')) throw new Error('ENOENT');
  if (!machine.tellsRun && path.endsWith('/boot_id')) throw new Error('ENOENT');
  if (machine.run !== undefined && path.endsWith('/boot_id')) return machine.run;
  return readReally(path, encoding);
}

const platform = process.platform;
let directory: string;
let other: ChildProcess;

beforeEach(async () => {
  vi.spyOn(fs, 'readFileSync').mockImplementation(read as typeof fs.readFileSync);
  syncBuiltinESMExports();
  directory = await testDirectory();
  other = spawn('sleep', ['60'], { stdio: 'ignore' });
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  machine.hasProc = true;
  machine.tellsRun = true;
  machine.run = undefined;
  Object.defineProperty(process, 'platform', { value: platform });
  other.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** Records the process as an engine whose parent has exited. */
function orphan(): void {
  recordOwner(directory, other.pid!);
  const path = join(directory, 'owner.json');
  const owner = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...owner, parent: { pid: 2 ** 30, started: '1' } }));
}

describe('an engine left over', () => {
  it('is killed', async () => {
    orphan();
    await Promise.all([once(other, 'exit'), claimDirectory(directory)]);
    expect(other.signalCode).toBe('SIGKILL');
  });

  it('is killed also in a sandbox that hides the boot id', async () => {
    machine.tellsRun = false;
    orphan();
    await Promise.all([once(other, 'exit'), claimDirectory(directory)]);
    expect(other.signalCode).toBe('SIGKILL');
  }, 2000);

  it('may exit just before it is killed', async () => {
    orphan();
    vi.spyOn(process, 'kill').mockImplementation(() => {
      other.kill('SIGTERM');
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    });
    await expect(claimDirectory(directory)).resolves.toBeUndefined();
  });

  it('is not confused with a process that got its id after a reboot', async () => {
    orphan();
    machine.run = 'another run of the machine';
    const kill = vi.spyOn(process, 'kill');
    await claimDirectory(directory);
    expect(kill).not.toHaveBeenCalledWith(other.pid, 'SIGKILL');
  });

  it('is not killed where nothing tells it from another process with its id', async () => {
    machine.hasProc = false;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    orphan();
    const kill = vi.spyOn(process, 'kill');
    await claimDirectory(directory);
    expect(kill).not.toHaveBeenCalledWith(other.pid, 'SIGKILL');
    expect(other.exitCode ?? other.signalCode).toBe(null);
  });
});
