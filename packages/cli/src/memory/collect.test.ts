import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { afterWork, collector } from './collect.js';

describe('afterWork', () => {
  it.each([
    ['a start without work', '....', 0],
    ['work that goes on', '.ww', 0],
    ['one time of work', '.ww..', 1],
    ['two of them', 'w...w.', 2],
  ])('%s', (_, course, times) => {
    let rested = 0;
    const observe = afterWork(() => rested++);
    for (const moment of course) observe(moment === 'w');
    expect(rested).toBe(times);
  });
});

it('the collector collects', async () => {
  const garbage = new WeakRef({});
  // What a WeakRef gave in a turn of the loop is kept until its end.
  await setImmediate();
  collector()();
  expect(garbage.deref()).toBeUndefined();
});
