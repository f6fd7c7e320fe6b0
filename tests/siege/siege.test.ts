import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../support/server-process.ts';
import { kinds } from './kinds.js';
import { siege } from './siege.js';

/** The first attack of each kind: checks counts and survival; `npm run siege` reports latencies. */

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'millrace.js');

it('under an attack of each kind the server goes on, and the victim misses nothing', async () => {
  const directory = temporaryDirectory();
  try {
    const result = await siege({ command, directory, seconds: 0.4, relatives: 0, seed: 1, short: true });
    expect(result.violations, result.printed).toEqual([]);
    expect(result.outcomes.map(({ kind }) => kind)).toEqual(Object.keys(kinds));
    expect(result.acknowledged).toBeGreaterThan(0);
  } finally {
    removeDirectory(directory);
  }
}, 180_000);
