import { describe, expect, test } from 'vitest';
import { matchesCron, parseCron } from './cron.js';
import { activeUntil, nextStart } from './schedule.js';

/**
 * Windows around both changes of the clock, compared with the simplest way to find them: looking at
 * the local time of each minute.
 */

const minute = 60_000;
const hour = 60 * minute;

/** Local times of a span, minute by minute, written as UTC. */
function localTimes(timeZone: string, from: number, to: number): readonly { utc: number; local: number }[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const times: { utc: number; local: number }[] = [];
  for (let utc = from; utc < to; utc += minute)
    times.push({ utc, local: Date.parse(`${format.format(utc).replace(' ', 'T')}Z`) });
  return times;
}

/** Starts of windows: matching minutes; those that the clock leaves out start at once, together. */
function startsIn(cron: string, span: ReturnType<typeof localTimes>): readonly number[] {
  const times = parseCron(cron);
  const starts: number[] = [];
  let before: number | undefined;
  for (const { utc, local } of span) {
    const skipped: number[] = [];
    if (before !== undefined) for (let each = before + minute; each < local; each += minute) skipped.push(each);
    if ([...skipped, local].some((each) => matchesCron(times, each))) starts.push(utc);
    before = local;
  }
  return starts;
}

// Europe and America change at night, Cairo at midnight, Lord Howe by half an hour, Kolkata never.
const changes = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Africa/Cairo', '2026-10-29T21:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Asia/Kolkata', '2026-03-29T01:00:00Z'],
] as const;

/** Each hour, nights, midnight, the hours that are left out or happen twice, and weeks. */
const crons = [
  '0 * * * *',
  '30 2 * * *',
  '15 0 * * *',
  '0 0 * * *',
  '*/20 1-3 * * sat,sun',
  '0 22 * * sat',
  '45 1 * * 0',
];

describe.each(changes)('in %s around %s', (timeZone, change) => {
  const [from, to] = [Date.parse(change) - 30 * hour, Date.parse(change) + 30 * hour];
  const span = localTimes(timeZone, from, to);
  test.each(crons)('windows of %s are active when the local time says so', (cron) => {
    const durationMinutes = 90;
    const window = { startTime: '2026-01-01T00:00:00Z', repeat: { cron, timeZone, durationMinutes } };
    const starts = startsIn(cron, span);
    for (let now = from + durationMinutes * minute; now < to; now += 7 * minute) {
      const newest = starts.findLast((start) => start <= now);
      const end = newest === undefined ? 0 : newest + durationMinutes * minute;
      const at = new Date(now).toISOString();
      expect([at, activeUntil(window, now)]).toEqual([at, end > now ? end : undefined]);
      const next = starts.find((start) => start > now);
      // Later starts are outside of the span.
      if (next !== undefined) expect([at, nextStart(window, now)]).toEqual([at, next]);
    }
  });
});
