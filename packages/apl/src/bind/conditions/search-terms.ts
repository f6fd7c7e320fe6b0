import { quoteRegex } from '../../functions/string/pattern.js';

export interface TermTest {
  readonly sign: string;
  readonly needle: string;
  /** Characters that a text must contain to pass. */
  readonly characters: string;
}

/**
 * A term of `search`. Asterisks at its ends choose the test: `x` is a whole term, `x*` a prefix of
 * one, `*x` a suffix, `*x*` any substring. Asterisks or question marks inside make it a pattern
 * between the bounds of a term. Returns the operator for the term, and its right side.
 */
export function testFor(term: string, caseSensitive: boolean): TermTest {
  const mark = caseSensitive ? '_cs' : '';
  const inner = term.replace(/^\*+|\*+$/g, '');
  const characters = inner.replace(/[*?]/g, '');
  const test = (sign: string, needle = inner): TermTest => ({ sign, needle, characters });
  if (/[*?]/.test(inner)) return test('matches regex', patternOf(term, caseSensitive));
  const before = term.startsWith('*');
  const after = term.endsWith('*');
  if (before && after) return test(`contains${mark}`);
  if (after) return test(`hasprefix${mark}`);
  return test(`${before ? 'hassuffix' : 'has'}${mark}`);
}

function patternOf(term: string, caseSensitive: boolean): string {
  const body = [...term].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : quoteRegex(c))).join('');
  return `${caseSensitive ? '' : '(?i)'}(?:^|[^\\p{L}\\p{N}])${body}(?:$|[^\\p{L}\\p{N}])`;
}
