import { describe, expect, test } from 'vitest';
import { CronError, parseCron } from './cron.js';
import { activeUntil, nextStart } from './schedule.js';

const repeatingSilence = (cron: string, timeZone: string, durationMinutes: number) => ({
  startTime: '2026-01-01T00:00:00Z',
  repeat: { cron, timeZone, durationMinutes },
});
const until = (silence: Parameters<typeof activeUntil>[0], now: string): string | undefined => {
  const end = activeUntil(silence, Date.parse(now));
  return end === undefined ? undefined : new Date(end).toISOString();
};

describe('a silence of one time', () => {
  const once = { startTime: '2026-11-20T10:00:00Z', endTime: '2026-11-20T11:00:00Z' };
  test.each([
    ['2026-11-20T09:59:59.999Z', undefined],
    ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T10:59:59.999Z', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T11:00:00Z', undefined],
  ])('at %s: %s', (now, expected) => expect(until(once, now)).toBe(expected));
});

describe('a maintenance window', () => {
  test.each([
    ['0 22 * * sat', 'UTC', 120, '2026-11-21T21:59:59Z', undefined],
    ['0 22 * * sat', 'UTC', 120, '2026-11-21T22:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['0 22 * * sat', 'UTC', 120, '2026-11-21T23:59:59Z', '2026-11-22T00:00:00.000Z'],
    ['0 22 * * sat', 'UTC', 120, '2026-11-22T00:00:00Z', undefined],
    ['0 22 * * sat', 'Europe/Berlin', 120, '2026-11-21T21:00:00Z', '2026-11-21T23:00:00.000Z'],
    ['0 22 * * sat', 'Europe/Berlin', 120, '2026-07-18T20:00:00Z', '2026-07-18T22:00:00.000Z'],
    ['30 1 * * *', 'Asia/Kolkata', 10, '2026-11-20T20:05:00Z', '2026-11-20T20:10:00.000Z'],
    ['0 0 * * 1', 'UTC', 7 * 1440, '2026-11-22T23:59:00Z', '2026-11-23T00:00:00.000Z'],
    // 2026-03-29: 02:00 to 03:00 do not exist in Berlin, so the window starts at 01:00 UTC.
    ['30 2 * * *', 'Europe/Berlin', 30, '2026-03-29T01:10:00Z', '2026-03-29T01:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', 30, '2026-03-29T00:50:00Z', undefined],
    ['30 2 * * *', 'Europe/Berlin', 600, '2026-03-29T06:00:00Z', '2026-03-29T11:00:00.000Z'],
    // 2026-10-25: 02:30 happens twice.
    ['30 2 * * *', 'Europe/Berlin', 30, '2026-10-25T00:40:00Z', '2026-10-25T01:00:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', 30, '2026-10-25T01:40:00Z', '2026-10-25T02:00:00.000Z'],
    // Lord Howe Island sets its clock ahead by half an hour.
    ['15 2 * * *', 'Australia/Lord_Howe', 30, '2026-10-03T15:40:00Z', '2026-10-03T16:00:00.000Z'],
  ])('%s in %s for %i minutes at %s: %s', (cron, zone, minutes, now, expected) =>
    expect(until(repeatingSilence(cron, zone, minutes), now)).toBe(expected),
  );

  test('is within its start and end', () => {
    const window = { ...repeatingSilence('0 * * * *', 'UTC', 60), endTime: '2026-11-20T10:30:00Z' };
    expect(until(window, '2026-11-20T10:10:00Z')).toBe('2026-11-20T10:30:00.000Z');
    expect(until(window, '2026-11-20T10:30:00Z')).toBeUndefined();
    expect(until(window, '2025-12-31T23:59:00Z')).toBeUndefined();
  });
});

describe('the next start', () => {
  test.each([
    ['0 22 * * sat', 'UTC', '2026-11-21T21:59:59Z', '2026-11-21T22:00:00.000Z'],
    ['0 22 * * sat', 'UTC', '2026-11-21T22:00:00Z', '2026-11-28T22:00:00.000Z'],
    ['0 22 * * sat', 'Europe/Berlin', '2026-11-21T22:30:00Z', '2026-11-28T21:00:00.000Z'],
    ['30 1 * * *', 'Asia/Kolkata', '2026-11-20T20:00:00Z', '2026-11-21T20:00:00.000Z'],
    ['*/15 * * * *', 'UTC', '2026-11-20T20:07:00Z', '2026-11-20T20:15:00.000Z'],
    ['5 0 1 jan *', 'Europe/Berlin', '2026-11-20T20:07:00Z', '2026-12-31T23:05:00.000Z'],
    // 2026-03-29: 02:30 does not exist in Berlin.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['0 0 30 2 *', 'UTC', '2026-03-28T12:00:00Z', undefined],
  ])('%s in %s after %s: %s', (cron, zone, now, expected) => {
    const start = nextStart(repeatingSilence(cron, zone, 30), Date.parse(now));
    expect(start === undefined ? undefined : new Date(start).toISOString()).toBe(expected);
  });
  test('of a silence of one time is its start', () => {
    const once = { startTime: '2026-11-20T10:00:00Z', endTime: '2026-11-20T11:00:00Z' };
    expect(nextStart(once, Date.parse('2026-11-20T09:00:00Z'))).toBe(Date.parse(once.startTime));
    expect(nextStart(once, Date.parse('2026-11-20T10:00:00Z'))).toBeUndefined();
  });
  test('is before the end', () => {
    const window = { ...repeatingSilence('0 22 * * sat', 'UTC', 60), endTime: '2026-11-20T10:30:00Z' };
    expect(nextStart(window, Date.parse('2026-11-19T00:00:00Z'))).toBeUndefined();
    expect(nextStart(window, Date.parse('2026-11-10T00:00:00Z'))).toBe(Date.parse('2026-11-14T22:00:00Z'));
  });
});

describe('a cron expression', () => {
  test.each([
    ['*/15 8-18 * * mon-fri', { minutes: [0, 15, 30, 45], weekdays: [1, 2, 3, 4, 5] }],
    ['5,10 0 1 JAN 7', { minutes: [5, 10], weekdays: [7, 0] }],
    ['3/20 * * * *', { minutes: [3, 23, 43], weekdays: [0, 1, 2, 3, 4, 5, 6, 7] }],
  ])('%s', (text, { minutes, weekdays }) => {
    const cron = parseCron(text);
    expect([[...cron.minutes], [...cron.weekdays]]).toEqual([minutes, weekdays]);
  });

  test.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    'a * * * *',
    '1-2-3 * * * *',
    '@daily',
  ])(
    // prettier-ignore
    '%s cannot be read',
    (text) => expect(() => parseCron(text)).toThrow(CronError),
  );

  test('with two day fields needs one of them', () => {
    const silence = repeatingSilence('0 0 1 * mon', 'UTC', 60);
    expect(until(silence, '2026-11-01T00:00:00Z')).toBeDefined(); // a Sunday
    expect(until(silence, '2026-11-02T00:00:00Z')).toBeDefined(); // a Monday
    expect(until(silence, '2026-11-03T00:00:00Z')).toBeUndefined();
  });
});
