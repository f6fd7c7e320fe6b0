import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../support/server-process.ts';
import { campaign } from './campaign.js';

/** A short run of `npm run crash`. */

const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'millrace.js');

it('three crashes in a row: all acknowledged events and points are stored once and completely', async () => {
  const directory = temporaryDirectory();
  try {
    const { tally, printed } = await campaign({ command, directory, cycles: 3, seed: 7, metrics: true });
    expect(tally.violations, printed).toEqual([]);
    expect(tally.get('batches acknowledged')).toBeGreaterThan(0);
    expect(tally.get('events compared')).toBeGreaterThan(0);
    expect(tally.get('points compared')).toBeGreaterThan(0);
  } finally {
    removeDirectory(directory);
  }
}, 120_000);
