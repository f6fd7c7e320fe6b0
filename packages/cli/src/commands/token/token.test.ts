import { expect, it } from 'vitest';
import { expiry } from './token.js';

it.each([
  ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T01:00:00+01:00', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
])('%s is a valid expiry', (text, time) => expect(expiry(text, Date.UTC(2026, 0, 1))).toBe(time));

it.each([
  ['30d', '2027-03-02T12:00:00.000Z'],
  ['now+30d', '2027-03-02T12:00:00.000Z'],
  ['now + 1h30m', '2027-01-31T13:30:00.000Z'],
])('%s counts from now', (text, time) => expect(expiry(text, Date.UTC(2027, 0, 31, 12))).toBe(time));

it.each([
  'tomorrow',
  'now',
  'now-30d',
  '-30d',
  '30',
  '9000000d',
  '31.1.2027',
  '1/2/2027',
  '2027-02-31T25:00:00Z',
  '2027',
])('%s is not', (text) => expect(() => expiry(text)).toThrow(`not '${text}'`));

it.each(['2026-01-01', '2026-12-31T23:59:59Z', 'now+0s'])('%s is in the past', (text) =>
  expect(() => expiry(text, Date.UTC(2027, 0, 1))).toThrow('is not in the future'),
);
