import { expect, test } from 'vitest';
import { latestRun, nextRun } from './phase.js';

const minute = 60_000;

/** Minutes from now to the next run. */
const wait = (intervalMinutes: number, ran: number, now: number): number => {
  const created = Date.parse('2026-10-25T00:00:00Z');
  const monitor = { createdAt: new Date(created).toISOString(), intervalMinutes };
  return (nextRun(monitor, created + ran * minute, created + now * minute) - created) / minute - now;
};

test.each([
  // interval, last run, now, minutes to wait at most
  [1, 60, 60, 1],
  [1, 60, 59.5, 2],
  [1, 60, 50, 0],
  [1, 60, 50.5, 0],
  [5, 60, 50, 0],
  [5, 60, 58, 10],
  [10, 60, 50, 20],
  [60, 60, 50, 120],
  [60, 120, 50, 0],
  [1, 60, 70, 0],
  [60, 60, 70, 60],
])('every %i minutes, last run at %i, clock at %d: no wait above %i', (interval, ran, now, longest) =>
  expect(wait(interval, ran, now)).toBeLessThanOrEqual(longest),
);

test('no wait is longer than two intervals, wherever the clock is set', () => {
  for (const interval of [1, 2, 5, 10, 60])
    for (let now = 0; now < 240; now += 0.25) expect(wait(interval, 120, now)).toBeLessThanOrEqual(2 * interval);
});

test.each([
  ['that is right', 1],
  ['that is slowed by a second a day, for a leap second', 1 - 1 / 86_400],
  ['that is hurried by a second a day', 1 + 1 / 86_400],
])('a clock %s makes each run of a day once', (_, rate) => {
  const created = Date.parse('2026-10-24T12:00:30Z');
  const monitor = { createdAt: new Date(created).toISOString(), intervalMinutes: 1 };
  const times: number[] = [];
  for (let ticks = 0; ticks < 24 * 3600; ticks++) {
    const now = created + Math.floor(ticks * 1000 * rate);
    if (nextRun(monitor, times.at(-1), now) <= now) times.push(latestRun(monitor, now));
  }
  expect(times).toEqual(Array.from({ length: 24 * 60 }, (__, i) => created + i * minute));
});
