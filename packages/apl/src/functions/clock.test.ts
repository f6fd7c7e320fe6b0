import { printQuery } from '@millrace/sql';
import { expect, it } from 'vitest';
import { compileText, testNow } from '../testing/compile-text.js';
import { functions } from './index.js';

/** The SQL of an expression at a moment; empty for one that does not compile on its own because it needs rows. */
const sqlAt = (apl: string, now: bigint): string => {
  const result = compileText(`print value = ${apl}`, { now });
  return result.kind === 'compiled' ? printQuery(result.query) : '';
};
const readsClock = (apl: string): boolean => sqlAt(apl, testNow) !== sqlAt(apl, testNow + 86_400_000_000_001n);

// A cache of compiled queries tells by these names which of them depend on when they were compiled.
it('only now and ago read the clock', () => {
  const readers = functions.filter(({ examples }) =>
    examples.some(({ apl }) => !/now|ago/i.test(apl) && readsClock(apl)),
  );
  expect(readers.map(({ name }) => name)).toEqual([]);
  expect(['now()', 'ago(1h)'].map(readsClock)).toEqual([true, true]);
});
