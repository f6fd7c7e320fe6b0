import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { afterWork, collector, growingPercent } from './collect.js';

describe('afterWork', () => {
  it.each([
    ['a start without work', '....', 0],
    ['work that goes on', '.ww', 0],
    ['one time of work', '.ww..', 1],
    ['two of them', 'w...w.', 2],
  ])('%s', (_, execution, times) => {
    let rested = 0;
    const observe = afterWork(() => rested++);
    for (const moment of execution) observe(moment === 'w');
    expect(rested).toBe(times);
  });
});

it.each([
  [40, 300],
  [192, 200],
  [384, 100],
  [4000, 30],
])('a heap of %d MiB may grow by %d percent', (megabytes, percent) => expect(growingPercent(megabytes)).toBe(percent));

it('the collector collects', async () => {
  const garbage = new WeakRef({});
  // WeakRefs keep their target until the end of the tick.
  await setImmediate();
  collector()();
  expect(garbage.deref()).toBeUndefined();
});
