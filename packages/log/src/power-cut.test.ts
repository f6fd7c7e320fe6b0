/**
 * Random histories of appends, releases, faults and crashes on the in-memory file system. After
 * every restart, all acknowledged frames are there, in order, once and unaltered; a rejected frame
 * disappears at the latest when a later one is acknowledged; and the log recovers without help when
 * the faults end.
 *
 * POWER_CUT_HISTORIES sets how many histories are tried, POWER_CUT_SEED selects them.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { History, type Step, step } from './testing/history.js';
import { caseCount } from '../../../tests/support/depth.js';

const histories = Number(process.env['POWER_CUT_HISTORIES'] ?? caseCount(200, 20_000));
const seed = process.env['POWER_CUT_SEED'];

/** Histories that once broke a promise. */
const foundHistories: readonly (readonly Step[])[] = [
  // A rejected append returned: the truncation after the last valid frame was only in memory,
  // because its sync had failed too.
  [
    { do: 'crash', sizes: [0], kind: 'power', moments: 0, seed: 1_048_205_945 },
    { do: 'append', sizes: [0] },
    { do: 'wait' },
    { do: 'fail', operations: ['sync'], skip: 0, times: 2, errno: 'EIO' },
    { do: 'crash', sizes: [0], kind: 'kill', moments: 5, seed: 1_046_519_968 },
    { do: 'crash', sizes: [1], kind: 'power', moments: 0, seed: 0 },
  ],
];

test.each(foundHistories)('found history %#', async (...steps) => {
  await expect(new History().run(steps)).resolves.toBeUndefined();
});

test(`${histories} random histories with power cuts, kills, faults and full disks lose nothing`, async () => {
  const steps = fc.array(step, { maxLength: 30, size: 'max' });
  const lives = fc.asyncProperty(steps, (taken) => new History().run(taken));
  const checked = fc.assert(lives, { numRuns: histories, ...(seed === undefined ? {} : { seed: Number(seed) }) });
  await expect(checked).resolves.toBeUndefined();
}, 3_600_000);
