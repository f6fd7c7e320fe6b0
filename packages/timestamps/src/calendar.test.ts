import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { civilFromDays, daysFromCivil, daysInMonth, isLeapYear, toNanoseconds } from './index.js';

describe('the calendar', () => {
  it.each([
    [1, 1, 1, -719_162],
    [1600, 2, 29, -135_081],
    [1900, 3, 1, -25_508],
    [1969, 12, 31, -1],
    [1970, 1, 1, 0],
    [2000, 2, 29, 11_016],
    [2000, 3, 1, 11_017],
    [2262, 4, 11, 106_751],
    [9999, 12, 31, 2_932_896],
  ])('%i-%i-%i is day %i', (year, month, day, days) => {
    expect(daysFromCivil(year, month, day)).toBe(days);
    expect(civilFromDays(days)).toEqual({ year, month, day });
  });

  it('counts every day of the years 0 to 9999 once', () => {
    let expected = daysFromCivil(0, 1, 1);
    for (let year = 0; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        const first = daysFromCivil(year, month, 1);
        if (first !== expected) throw new Error(`${year}-${month} is day ${first}, expected ${expected}`);
        expected += daysInMonth(year, month);
      }
    }
    expect(expected).toBe(2_932_897);
  });

  it('finds the date of a day again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (days) => {
        const { year, month, day } = civilFromDays(days);
        expect(daysFromCivil(year, month, day)).toBe(days);
        expect(day).toBeLessThanOrEqual(daysInMonth(year, month));
      }),
    );
  });

  it.each([
    [1900, false],
    [2000, true],
    [2023, false],
    [2024, true],
    [2100, false],
  ])('%i is a leap year: %s', (year, leap) => {
    expect(isLeapYear(year)).toBe(leap);
    expect(daysInMonth(year, 2)).toBe(leap ? 29 : 28);
  });
});

describe('toNanoseconds', () => {
  it('multiplies exactly, inside and outside of 64 bits', () => {
    const second = fc.oneof(
      fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }),
      fc.integer({ min: 9_223_372_030, max: 9_223_372_040 }),
      fc.integer({ min: -9_223_372_040, max: -9_223_372_030 }),
      fc.integer({ min: -10, max: 10 }),
    );
    fc.assert(
      fc.property(second, fc.integer({ min: 0, max: 999_999_999 }), (seconds, nanoseconds) => {
        expect(toNanoseconds(seconds, nanoseconds)).toBe(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));
      }),
      { numRuns: 1000 },
    );
  });
});
