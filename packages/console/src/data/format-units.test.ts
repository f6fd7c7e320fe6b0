import { describe, expect, it } from 'vitest';
import { agoText, bytesText, countOf, roughDuration, shortAmount, roundedText } from './format-units.js';

describe('amounts', () => {
  it('are short, with two significant digits', () => {
    expect([0, 7, 0.25, 999, 1000, 5_300_000, 36_400, 120_000].map(shortAmount)).toEqual([
      '0 ',
      '7 ',
      '0.25 ',
      '999 ',
      '1.0 k',
      '5.3 M',
      '36 k',
      '120 k',
    ]);
    expect(bytesText(512)).toBe('512 B');
    expect(bytesText(3_400_000_000)).toBe('3.4 GB');
  });

  it('of one are singular', () => {
    expect([countOf(1, 'event'), countOf(12_000, 'event'), countOf(0, 'query', 'queries')]).toEqual([
      '1 event',
      '12,000 events',
      '0 queries',
    ]);
  });

  it('of time use the largest unit', () => {
    expect([40, 1000, 61_000, 7_200_000, 200_000_000].map(roughDuration)).toEqual([
      '40 ms',
      '1 s',
      '1 min',
      '2 h',
      '2 d',
    ]);
    expect(agoText(1000, 500)).toBe('now');
    expect(agoText(0, 12_000)).toBe('12 s ago');
  });
});

it.each([
  [45.77499146729135, '45.775'],
  [0.1 + 0.2, '0.3'],
  [1234.5678, '1,234.57'],
  [12, '12'],
  [1.23456789e-7, '1.235e-7'],
  [-0.5, '-0.5'],
  [-1e308, '-1e+308'],
])('%s is rounded to %s', (value, text) => expect(roundedText(value)).toBe(text));
