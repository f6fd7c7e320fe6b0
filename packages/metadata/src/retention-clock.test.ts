import { expect, test } from 'vitest';
import { retentionClock } from './retention-clock.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 25);

/** A machine that has run for some time, and whose clock has been set. */
function machine() {
  let elapsed = 5000.25;
  let wall = start;
  const leaps: number[] = [];
  const clock = retentionClock(
    () => wall,
    (ahead) => leaps.push(ahead),
    () => elapsed,
  );
  return {
    leaps,
    set: (time: number) => (wall = time),
    /** Offset of the clock from the start. */
    after: (milliseconds: number): number => {
      elapsed += milliseconds;
      wall += milliseconds;
      return clock() - start;
    },
  };
}

test('goes with the clock, also where that is set a little, or back', () => {
  const { after, set, leaps } = machine();
  expect(after(minute)).toBe(minute);
  set(start + 31 * minute);
  expect(after(minute)).toBe(32 * minute);
  set(start - 400 * day);
  expect(after(minute)).toBe(minute - 400 * day);
  expect(leaps).toEqual([]);
});

test('ignores a clock that jumps far ahead for some hours, however often it is read', () => {
  const { after, set, leaps } = machine();
  const years = Date.UTC(2099, 0) - start;
  set(start + years);
  for (let i = 1; i <= 60; i++) expect(after(10 * minute)).toBe(i * 10 * minute);
  expect(leaps).toEqual([years]);
  set(start + 10 * hour);
  expect(after(minute)).toBe(10 * hour + minute);
  set(start + years);
  for (let i = 1; i <= 60; i++) expect(after(10 * minute)).toBe(10 * hour + minute + i * 10 * minute);
  expect(leaps).toHaveLength(2);
});

test('follows one that stays ahead, as that of a machine that was suspended, after a day', () => {
  const { after, set } = machine();
  set(start + 30 * day);
  expect(after(hour)).toBe(hour);
  expect(after(23 * hour)).toBe(day);
  expect(after(hour)).toBe(31 * day + hour);
  expect(after(hour)).toBe(31 * day + 2 * hour);
});
