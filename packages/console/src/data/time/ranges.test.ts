import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, instantText, parseDuration, parseInstant } from './instants.js';
import { boundsOf, parseRange, rangeTitle, shiftRange, stepFor, zoom } from './ranges.js';
import { instantAt, zonedText } from './zones.js';

const now = parseInstant('2026-11-26T12:00:00Z')!;

it('an instant keeps its nanoseconds', () =>
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 4n * 10n ** 18n }), (instant) => {
      expect(parseInstant(instantText(instant))).toBe(instant);
    }),
  ));

it('a duration round-trips', () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (length) => {
      expect(parseDuration(durationText(length))).toBe(length);
    }),
  ));

describe('typed ranges', () => {
  it.each([
    ['15m', 'now-15m', 'now'],
    ['last 2h', 'now-2h', 'now'],
    ['1h30m', 'now-90m', 'now'],
    ['-1h..-30m', 'now-1h', 'now-30m'],
    ['now-1d to now', 'now-1d', 'now'],
    ['Last 7 days', 'now-7d', 'now'],
    ['10:00..11:30', '2026-11-26T09:00:00Z', '2026-11-26T10:30:00Z'],
    ['2026-11-25 10:00..11:00', '2026-11-25T09:00:00Z', '2026-11-25T10:00:00Z'],
    ['yesterday 14:00', '2026-11-25T13:00:00Z', '2026-11-25T13:00:59.999999999Z'],
    ['2026-07-01', '2026-06-30T22:00:00Z', '2026-07-01T21:59:59.999999999Z'],
    ['1795694400', '2026-11-26T12:00:00Z', '2026-11-26T12:00:00.999999999Z'],
    ['1795694400000..1795694460000', '2026-11-26T12:00:00Z', '2026-11-26T12:01:00Z'],
    ['1795694400123456789..now+1m', '2026-11-26T12:00:00.123456789Z', 'now+1m'],
    ['2026-11-26T10:00:00.5+01:00/2026-11-26T11:00:00Z', '2026-11-26T09:00:00.5Z', '2026-11-26T11:00:00Z'],
  ])('%s', (typed, from, to) => expect(parseRange(typed, now, 'Europe/Berlin')).toEqual({ from, to }));

  it.each(['', 'soon', '25:00..26:00', '11:00..10:00', 'now..now-1h', '..'])('%s is invalid', (typed) =>
    expect(parseRange(typed, now, 'Europe/Berlin')).toBeUndefined(),
  );
});

it('a title with exact ends can be typed again', () => {
  const range = { from: '2026-11-26T09:00:00.5Z', to: '2026-11-26T10:30:00Z' };
  const title = rangeTitle(range, 'Europe/Berlin');
  expect(title).toBe('2026-11-26 10:00:00.5 – 11:30:00');
  expect(parseRange(title, now, 'Europe/Berlin')).toEqual(range);
});

it('clocks that skip an hour', () => {
  expect(zonedText(instantAt('2026-03-29', '02:30:00', 'Europe/Berlin')!, 'UTC', 0)).toMatch(/2026-03-29 0[01]:30:00/);
  expect(zonedText(instantAt('2026-10-25', '12:00:00', 'Europe/Berlin')!, 'UTC', 0)).toBe('2026-10-25 11:00:00');
});

it('zoom and shift keep nanoseconds', () => {
  const bounds = { start: 1n, end: 1001n };
  expect(zoom(bounds, 2)).toEqual({ start: -499n, end: 1501n });
  expect(zoom(zoom(bounds, 2), 0.5)).toEqual(bounds);
  expect(shiftRange(shiftRange(bounds, 1), -1)).toEqual(bounds);
});

it('bars have round widths and a bounded number', () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 10, max: 240 }), (length, max) => {
      const step = stepFor({ start: 0n, end: length }, max);
      expect(length / step < BigInt(max) || step >= 365n * 86_400n * 10n ** 9n).toBe(true);
    }),
  ));

it('a day in an address starts in UTC, as on the server', () =>
  expect(boundsOf({ from: '2026-11-26', to: 'now' }, now)?.start).toBe(parseInstant('2026-11-26T00:00:00Z')));

it('a range that ends before it starts is invalid', () =>
  expect(boundsOf({ from: 'now', to: 'now-1h' }, now)).toBeUndefined());
