import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EngineProcess, type ProcessOptions } from './process.js';
import { errorOf, testDirectory } from './testing/engines.js';

/** Opens files until no descriptor is left; returns a function that closes them. */
function withoutDescriptors(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return () => taken.forEach((descriptor) => closeSync(descriptor));
  }
}

const optionsFor = (directory: string): ProcessOptions => ({
  directory,
  sessions: {
    query: 1,
    export: 1,
    statement: 1,
    upkeep: 1,
    narrowing: 1,
    deletion: 1,
    removal: 1,
    moving: 0,
    insert: 1,
  },
  maxWaiting: 1,
  memoryBytes: 1e9,
  startMilliseconds: 1000,
  hangMilliseconds: 1000,
  stuckMilliseconds: 1000,
  detach: { afterMilliseconds: 1000, max: 1 },
  log: () => undefined,
});

it('is unavailable when there is no file descriptor left for its process', async () => {
  const directory = await testDirectory();
  // Few enough to open all of them quickly.
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=2000:']);
  const giveBack = withoutDescriptors();
  try {
    const error = await errorOf(EngineProcess.start(optionsFor(directory), new AbortController().signal));
    expect([error.code, error.detail]).toEqual(['unavailable', expect.stringContaining('EMFILE')]);
  } finally {
    giveBack();
    rmSync(directory, { recursive: true });
  }
});

it('starts no process when it has been closed before', async () => {
  const directory = await testDirectory();
  try {
    const error = await errorOf(EngineProcess.start(optionsFor(directory), AbortSignal.abort()));
    expect([error.code, error.detail, existsSync(join(directory, 'owner.json'))]).toEqual([
      'unavailable',
      'closed',
      false,
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it('ends a process that could not be recorded', async () => {
  const directory = await testDirectory();
  mkdirSync(join(directory, 'owner.json'));
  // Other test files have engines in this process.
  const engines = (): readonly string[] =>
    execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='])
      .toString()
      .split('\n')
      .filter((line) => line.includes('child/main.js'));
  const before = engines();
  try {
    const error = await errorOf(EngineProcess.start(optionsFor(directory), new AbortController().signal));
    expect([error.code, error.detail]).toEqual(['unavailable', expect.stringContaining('EISDIR')]);
    expect(engines()).toEqual(before);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
