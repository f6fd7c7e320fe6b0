import { expect, test } from 'vitest';
import { withinFairShare, ByteUsage, addUsage } from './fair-share.js';

const room = 840;

/** The memory of each quota key when all of them request more and more. */
function greedy(parties: number): readonly number[] {
  const taken = new ByteUsage();
  const names = Array.from({ length: parties }, (_, i) => `party ${i}`);
  for (let took = true; took;) {
    took = false;
    for (const name of names)
      if (withinFairShare(taken.of(name), room)) {
        taken.add(name, 1);
        took = true;
      }
  }
  return names.map((name) => taken.of(name).own);
}

test.each([
  [1, 630],
  [2, 360],
  [9, 90],
])('%d greedy parties have the same, and leave something to one that has nothing', (parties, each) => {
  const had = greedy(parties);
  for (const own of had) expect(Math.abs(own - each)).toBeLessThanOrEqual(1);
  const all = had.reduce((sum, own) => sum + own, 0);
  expect(all).toBeLessThan(room);
  expect(withinFairShare({ all, own: 0 }, room)).toBe(true);
});

test('released memory is free', () => {
  const taken = new ByteUsage();
  taken.add('a', 5);
  taken.add('b', 2);
  taken.add('a', -5);
  expect([taken.all, taken.of('a'), taken.of('b')]).toEqual([2, { all: 2, own: 0 }, { all: 2, own: 2 }]);
  expect(addUsage(taken.of('b'), { all: 3, own: 1 })).toEqual({ all: 5, own: 3 });
});
