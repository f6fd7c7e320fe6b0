import { expect, test } from 'vitest';
import { DuePositions } from './due-positions.js';

test('runs share a position that covers all events acknowledged before they were due', async () => {
  let [now, position, asked] = [1000, 10n, 0];
  const positions = new DuePositions(
    () => now,
    async () => (asked++, position),
  );
  expect([await positions.for(900), asked]).toEqual([10n, 1]);
  [now, position] = [2000, 20n];
  // Cached: sampled after both were due.
  expect([await positions.for(900), await positions.for(1000), asked]).toEqual([10n, 10n, 1]);
  expect([await positions.for(1500), asked]).toEqual([20n, 2]);
  // A due time in the future gets the current position.
  expect(await positions.for(9000)).toBe(20n);
  // If the clock was set back, earlier samples are invalid for later batches.
  [now, position] = [500, 30n];
  expect([await positions.for(400), await positions.for(450)]).toEqual([30n, 30n]);
  expect(await positions.for(3000)).toBe(30n);
});
