import { expect, it } from 'vitest';
import { newArrivalClock } from './arrival-clock.js';

const second = 1_000_000_000n;
const start = 1_800_000_000;

/**
 * A clock, and its distance from the start when the system's clock is set; the monotonic one
 * advances by a microsecond each time.
 */
function machine(): (seconds: number) => bigint {
  let wall = start * 1000;
  let monotonic = 77n;
  const clock = newArrivalClock(
    () => wall,
    () => (monotonic += 1000n),
  );
  return (seconds) => {
    wall = (start + seconds) * 1000;
    return clock() - BigInt(start) * second;
  };
}

it('gives every request a later time, also after the clock was set back a little', () => {
  const at = machine();
  const times = [0, 0, 30, 30, 29, 10, 0].map(at);
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(new Set(times).size).toBe(times.length);
  expect(times[2]).toBe(30n * second);
  expect(times.at(-1)! - times[3]!).toBeLessThan(10n);
});

it('recovers when the clock returns from a time far ahead', () => {
  const at = machine();
  at(0);
  expect(at(2_000_000_000)).toBe(2_000_000_000n * second);
  expect(at(60)).toBe(60n * second);
  expect(at(60)).toBeLessThan(61n * second);
});
