import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportThroughPipe } from './export.js';
import { Scratch } from './scratch.js';

/** Beyond the engine contract: a system that can open no more files. Missing files simulate it. */
describe('an export whose pipe cannot be opened', () => {
  let directory: string;
  let scratch: Scratch;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'millrace-export-'));
    scratch = await Scratch.open(directory);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const removePipes = (): void => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
  };

  it('fails before anything is run', async () => {
    let calls = 0;
    const removed: string[] = [];
    const gone = {
      makePipe: async () => {
        const path = await scratch.makePipe();
        removePipes();
        return path;
      },
      remove: async (path: string) => void removed.push(path),
    };
    const rows = exportThroughPipe(gone, 'SELECT 1', 'CSV', undefined, async () => calls++);
    await expect(rows.next()).rejects.toMatchObject({ name: 'EngineError', code: 'internal' });
    expect([calls, removed.length]).toEqual([0, 1]);
  });

  it('a second signal while stopping stops at once, and later errors end nothing else', async () => {
    const reader = new AbortController();
    let running = false;
    const run = (_: string, signal: AbortSignal): Promise<void> => {
      running = true;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    };
    const rows = exportThroughPipe(scratch, 'SELECT 1', 'CSV', reader.signal, run);
    const first = rows.next();
    await expect.poll(() => running).toBe(true);
    removePipes();
    reader.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  });
});
