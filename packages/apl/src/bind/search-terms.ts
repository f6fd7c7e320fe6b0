import { quoteRegex } from '../functions/operators/text.js';

/**
 * A term of `search`, where asterisks say what kind of test is meant: `x` a whole term, `x*` a prefix of one, `*x` a suffix,
 * `*x*` anywhere; asterisks or question marks within: a pattern between the bounds of a term. Gives the operator the term stands
 * for, and its right side.
 */
export function testFor(term: string, caseSensitive: boolean): { readonly sign: string; readonly needle: string } {
  const mark = caseSensitive ? '_cs' : '';
  const inner = term.replace(/^\*+|\*+$/g, '');
  if (/[*?]/.test(inner)) return { sign: 'matches regex', needle: patternOf(term, caseSensitive) };
  const before = term.startsWith('*');
  const after = term.endsWith('*');
  if (before && after) return { sign: `contains${mark}`, needle: inner };
  if (after) return { sign: `hasprefix${mark}`, needle: inner };
  return { sign: `${before ? 'hassuffix' : 'has'}${mark}`, needle: inner };
}

function patternOf(term: string, caseSensitive: boolean): string {
  const body = [...term].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : quoteRegex(c))).join('');
  return `${caseSensitive ? '' : '(?i)'}(?:^|[^\\p{L}\\p{N}])${body}(?:$|[^\\p{L}\\p{N}])`;
}
