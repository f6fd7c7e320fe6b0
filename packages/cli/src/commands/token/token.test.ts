import { expect, it } from 'vitest';
import { expiry } from './token.js';

it.each([
  ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T01:00:00+01:00', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
])('%s is a time a token may end', (text, time) => expect(expiry(text)).toBe(time));

it.each(['tomorrow', '30d', '31.1.2027', '1/2/2027', '2027-02-31T25:00:00Z', '2027'])('%s is not', (text) =>
  expect(() => expiry(text)).toThrow(`not '${text}'`),
);
