import { expect, it } from 'vitest';
import { shopTraffic } from './shop-traffic.js';

const storyBegan = Date.UTC(2026, 0, 1) / 1000;
const second = (at: number) => shopTraffic({ end: storyBegan + at, storyBegan, rate: 20 });

it('is deterministic per second and differs between seconds', () => {
  expect(second(100)).toEqual(second(100));
  expect(second(101)).not.toEqual(second(100));
});

it('fails in the middle of the hour, and not after it', () => {
  const failures = (from: number, to: number): number => {
    let count = 0;
    for (let at = from; at < to; at += 25) count += second(at).filter(({ error }) => error !== undefined).length;
    return count;
  };
  expect(failures(0, 1900)).toBe(0);
  expect(failures(2000, 2500)).toBeGreaterThan(20);
  expect(failures(2600, 4000)).toBe(0);
});

it('stays within its second', () => {
  for (const { _time } of second(7)) {
    const at = Date.parse(_time) / 1000 - storyBegan;
    expect(at).toBeGreaterThanOrEqual(6);
    expect(at).toBeLessThan(7.002);
  }
});
