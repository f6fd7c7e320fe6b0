import { printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import { compileText, testNow } from '../testing/compile-text.js';
import { functions } from './index.js';

/** The SQL of an expression at a moment; what does not compile alone needs rows, and reads no clock for that. */
const sqlAt = (apl: string, now: bigint): string => {
  const result = compileText(`print value = ${apl}`, { now });
  return result.kind === 'compiled' ? printQuery(result.query) : '';
};
const readsClock = (apl: string): boolean => sqlAt(apl, testNow) !== sqlAt(apl, testNow + 86_400_000_000_001n);

// Whoever keeps compiled queries knows by these names which depend on when they were compiled.
it('only now and ago read the clock', () => {
  const readers = functions.filter(({ examples }) =>
    examples.some(({ apl }) => !/now|ago/i.test(apl) && readsClock(apl)),
  );
  expect(readers.map(({ name }) => name)).toEqual([]);
  expect(['now()', 'ago(1h)'].map(readsClock)).toEqual([true, true]);
});
