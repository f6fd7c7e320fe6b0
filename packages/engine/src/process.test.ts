import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EngineProcess } from './process.js';
import { errorOf, testDirectory } from './testing/engines.js';

/** Takes every file descriptor there is; returns what gives them back. */
function withoutDescriptors(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return () => taken.forEach((descriptor) => closeSync(descriptor));
  }
}

it('is unavailable when there is no file descriptor left for its process', async () => {
  const directory = await testDirectory();
  // Few enough to be taken quickly.
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=2000:']);
  const giveBack = withoutDescriptors();
  try {
    const options = {
      directory,
      sessions: { query: 1, export: 1, statement: 1, upkeep: 1, deletion: 1, insert: 1 },
      maxWaiting: 1,
      memoryBytes: 1e9,
      startMilliseconds: 1000,
      hangMilliseconds: 1000,
      stuckMilliseconds: 1000,
      log: () => undefined,
    };
    const error = await errorOf(EngineProcess.start(options, new AbortController().signal));
    expect([error.code, error.detail]).toEqual(['unavailable', expect.stringContaining('EMFILE')]);
  } finally {
    giveBack();
    rmSync(directory, { recursive: true });
  }
});
