import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument } from '../define.js';
import { ofText } from './length-and-case.js';
import { checkRegexAt, engineRegex, patternOf, regexParam } from './pattern.js';

type Ends = 'both' | 'start' | 'end';

const engineTrim: Readonly<Record<Ends, string>> = { both: 'trimBoth', start: 'trimLeft', end: 'trimRight' };

// oxlint-disable-next-line no-control-regex -- matches all of ASCII on purpose
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Removes the match of a regular expression from `atEnds`. */
const cut = (text: Expr, regex: Expr, ends: Ends): Expr =>
  call(ends === 'both' ? 'replaceRegexpAll' : 'replaceRegexpOne', text, regex, literal(''));

/** `^(?:…)+|(?:…)+$`, or one half of it. */
const atEnds = (part: string, ends: Ends): string =>
  [...(ends === 'end' ? [] : [`^(?:${part})+`]), ...(ends === 'start' ? [] : [`(?:${part})+$`])].join('|');

/** Characters as members of a set. */
const setMembers = (chars: string): string => chars.replace(/[\\\]^[-]/g, '\\$&');

function withoutChars(text: Expr, cutset: LoweredArgument, ends: Ends): Expr {
  const { constant } = cutset;
  if (constant === '') return text;
  // The engine's own functions trim bytes.
  if (typeof constant === 'string' && isAscii(constant)) return call(engineTrim[ends], text, literal(constant));
  if (typeof constant === 'string') return cut(text, literal(atEnds(`[${setMembers(constant)}]`, ends)), ends);
  // The engine also computes the value that stands in for a null, so that must be a valid regular
  // expression as well.
  const chars = call('ifNull', cutset.sql, literal(''));
  // Invalid UTF-8 would not be a valid regular expression either.
  const members = call('replaceRegexpAll', call('toValidUTF8', chars), literal('[\\\\\\]^\\[-]'), literal('\\\\\\0'));
  // A character class cannot be empty. For an empty set the expression is `^`, which matches no
  // characters, so nothing is removed.
  const set = call(
    'if',
    call('equals', chars, literal('')),
    literal('^'),
    call('concat', literal('['), members, literal(']')),
  );
  const pieces = atEnds('SET', ends).split('SET');
  const regex = call('concat', ...pieces.flatMap((piece, i) => (i === 0 ? [literal(piece)] : [set, literal(piece)])));
  return call('if', call('isNull', cutset.sql), nullOf('string'), cut(text, regex, ends));
}

/** A class of characters, or anything repeated: a set of characters has neither. */
const looksLikePattern = /\\[wWdDsSbBpP.]|\[[^\]]+\]|\.[*+]|^\^.|.\$$|\(.*\|.*\)/;

/** Text rather than a set of characters, such as `https://`, which Kusto removes as a whole. */
const looksLikeWord = /[a-z]{3}/i;

function byCutset(name: string, ends: Ends, where: string, examples: readonly Example[]): FunctionRecord {
  return defineFunction({
    name,
    summary: `The text without the characters of the cutset ${where}.`,
    params: [param('cutset', 'string'), param('text', 'string')],
    returns: 'string',
    lower: ([cutset, text]) => withoutChars(text.sql, cutset, ends),
    doubt: ([cutset]) =>
      typeof cutset.constant === 'string' &&
      (looksLikePattern.test(cutset.constant) || looksLikeWord.test(cutset.constant))
        ? {
            argument: 0,
            message: `these are characters to remove, as in Axiom, not a regular expression, as in Kusto; ${name}_regex removes what an expression matches`,
          }
        : undefined,
    examples,
  });
}

function byRegex(name: string, ends: Ends, where: string, examples: readonly Example[]): FunctionRecord {
  return defineFunction({
    name,
    summary: `The text without all matches of a regular expression ${where}.`,
    params: [regexParam, param('text', 'string')],
    returns: 'string',
    check: checkRegexAt(0),
    lower: ([regex, text]) => {
      const pattern = patternOf(regex);
      return pattern === undefined ? nullOf('string') : cut(text.sql, engineRegex(atEnds(pattern.text, ends)), ends);
    },
    examples,
  });
}

export const functions: readonly FunctionRecord[] = [
  byCutset('trim', 'both', 'at both ends', [
    { apl: 'trim("-_", "_-a-b-_")', gives: 'a-b' },
    { apl: 'trim("é", "éaéã")', gives: 'aéã' },
    { apl: 'trim("", " a ")', gives: ' a ' },
    { apl: 'trim("]^", "^[a]")', gives: '[a' },
  ]),
  byCutset('trim_start', 'start', 'at the beginning', [
    { apl: 'trim_start("ab", "abbacab")', gives: 'cab' },
    { apl: 'trim_start("😀", "😀😀x😀")', gives: 'x😀' },
  ]),
  byCutset('trim_end', 'end', 'at the end', [
    { apl: 'trim_end("/", "path//")', gives: 'path' },
    { apl: 'trim_end("xyz", "xyz")', gives: '' },
  ]),
  byRegex('trim_regex', 'both', 'at both ends', [
    { apl: 'trim_regex("[^a-z]+", "12abc34")', gives: 'abc' },
    { apl: 'trim_regex("(^(dev|prod)-)|(-v[0-9.]+$)", "prod-cart-v1.2")', gives: 'cart' },
    { apl: 'trim_regex("é", "ééaéé")', gives: 'a' },
    { apl: 'trim_regex(".", "abc")', gives: '' },
  ]),
  byRegex('trim_start_regex', 'start', 'at the beginning', [
    { apl: 'trim_start_regex("https?://[^/]+", "https://a.b/c")', gives: '/c' },
    { apl: 'trim_start_regex("ab", "ababc")', gives: 'c' },
    { apl: 'trim_start_regex("x*", "abc")', gives: 'abc' },
  ]),
  byRegex('trim_end_regex', 'end', 'at the end', [
    { apl: 'trim_end_regex("[0-9]", "a12")', gives: 'a' },
    { apl: 'trim_end_regex("b", "abc")', gives: 'abc' },
  ]),
  ofText(
    'trim_space',
    'The text without white space at both ends.',
    'string',
    (text) => call('replaceRegexpAll', text, literal(atEnds('[\\s\\v\\p{Z}\\x{85}]', 'both')), literal('')),
    [
      { apl: 'trim_space("  a b\\t\\n")', gives: 'a b' },
      { apl: 'trim_space("\u00a0é\u3000")', gives: 'é' },
      { apl: 'trim_space("   ")', gives: '' },
    ],
  ),
];
