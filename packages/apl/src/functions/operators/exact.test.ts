import { printQuery } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { allTimes } from '../../lower/relations/scan.js';
import { compileOrThrow, testNow } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';

const catalog = catalogWithoutTable('logs', { at: 'datetime', n: 'long' });
const givenBounds = { start: false, end: false };
const untilNow = { start: testNow - 3_600_000_000_000n, end: testNow, given: givenBounds };
const open = { ...allTimes, given: givenBounds };

describe('a sum is tested for its range only where it may leave it', () => {
  const check = (expression: string, range: typeof open, tested: boolean): void =>
    it(`${expression}: ${tested ? 'yes' : 'no'}`, () => {
      const { query } = compileOrThrow(`logs | project x = ${expression}`, { catalog, range });
      expect(printQuery(query).includes('if(')).toBe(tested);
    });
  check('_time - 30d', open, false);
  check('_time - 90000d', open, true);
  check('_time + 1d', open, true);
  check('_time + 1d', untilNow, false);
  check('now() - _time', open, false);
  check('_sysTime - _time', open, false);
  check('_time - _sysTime', open, false);
  check('at + 1d', untilNow, true);
  check('_time - at', untilNow, true);
  check('n * 1s', untilNow, true);
  check('n * 1ns', untilNow, false);
});
