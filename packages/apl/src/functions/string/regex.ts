import { call, integer, lambda, literal, column } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import { textsJson } from '../../lower/strings/known-texts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineOverload, defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { checkRegexAt, engineRegex, patternOf, quoteRegex, regexParam } from './pattern.js';
import type { Pattern } from './pattern.js';
import { characters, inWhole, searchParams, whereSensible, windowOf } from './position.js';
import { replaceAll } from './rewrite.js';

/** `extract` gives the first group, in half the time of the function that can give any. */
const foundGroup = (text: Expr, { text: regex }: Pattern, group: number): Expr =>
  group > 1
    ? call('regexpExtract', text, engineRegex(regex), integer(group))
    : call('extract', text, engineRegex(group === 0 ? `(${regex})` : regex));

/** One group of the first match; null if nothing matches. */
function extractGroup(text: Expr, pattern: Pattern, group: number): Expr {
  const regex = engineRegex(pattern.text);
  const found = foundGroup(text, pattern, group);
  const filled = group === 0 ? !pattern.shape.mayBeEmpty : pattern.shape.groups[group - 1]?.filled === true;
  // The engine returns '' both for no match and for an empty one; a second test is needed only if
  // the latter is possible.
  return filled ? call('nullIf', found, literal('')) : call('if', call('match', text, regex), found, nullOf('string'));
}

const groupCount = (regex: LoweredArgument): number => patternOf(regex)?.shape.groups.length ?? 0;

const noGroup = (count: number, group: bigint | number | string): string =>
  `the regular expression has ${count === 0 ? 'no groups' : count === 1 ? '1 group' : `${count} groups`}; there is no group ${group}`;

/**
 * The group numbers from a constant JSON array of numbers and names (-1 for an unknown name);
 * undefined if it contains anything else.
 */
function groupsIn(json: LoweredArgument | undefined, pattern: Pattern): readonly number[] | undefined {
  if (typeof json?.constant !== 'string') return undefined;
  const groups: unknown = JSON.parse(json.constant);
  if (!Array.isArray(groups)) return undefined;
  const found = groups.map((group: unknown): number | undefined => {
    if (typeof group !== 'string') return typeof group === 'number' && Number.isInteger(group) ? group : undefined;
    const at = pattern.shape.groups.findIndex(({ name }) => name === group);
    return at < 0 ? -1 : at + 1;
  });
  return found.every((group) => group !== undefined) ? found : undefined;
}

/**
 * All matches that are not empty, as JSON: an array of strings for one group, an array of arrays
 * for several; null for null. `extractAll` stops at an empty match, while
 * `extractAllGroupsVertical` continues at the next byte, even within a character, and finds later
 * matches.
 */
function allExtracted(text: Expr, { text: regex, shape }: Pattern, groups: readonly number[]): Expr {
  const [only, ...others] = groups;
  const plain = others.length === 0 && (only === 0 ? shape.groups.length === 0 : only === 1);
  if (plain && !shape.mayBeEmpty) return textsJson([text], call('extractAll', text, engineRegex(regex)));
  const found = call('extractAllGroupsVertical', text, engineRegex(`(${regex})`));
  const isFilled = call('notEmpty', call('arrayElement', column('match'), integer(1)));
  const matches = shape.mayBeEmpty ? call('arrayFilter', lambda(['match'], isFilled), found) : found;
  const pick = (group: number): Expr => call('arrayElement', column('match'), integer(group + 1));
  const each = (picked: Expr): Expr => call('arrayMap', lambda(['match'], picked), matches);
  if (others.length === 0) return textsJson([text], each(pick(only ?? 0)));
  return whereAll([text], call('toJSONString', each(call('array', ...groups.map(pick)))));
}

/** Well below the engine's limit for counted repeats, which the repeats in the expression share. */
const MAX_OCCURRENCE = 100n;

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'extract',
    summary:
      'The text of a group in the first match of a regular expression; group 0 is the whole match. Null if there is no match.',
    params: [regexParam, param('group', 'long', { constant: true }), param('text', 'string')],
    returns: 'string',
    check: (args) => {
      const wrong = checkRegexAt(0)(args);
      const [regex, group] = args;
      if (wrong !== undefined || typeof group?.constant !== 'bigint' || typeof regex?.constant !== 'string')
        return wrong;
      const count = groupCount(regex);
      return group.constant >= 0n && group.constant <= count
        ? undefined
        : {
            argument: 1,
            message: noGroup(count, group.constant),
          };
    },
    lower: ([regex, group, text]) => {
      const pattern = patternOf(regex);
      if (pattern === undefined || typeof group.constant !== 'bigint') return nullOf('string');
      return extractGroup(text.sql, pattern, Number(group.constant));
    },
    examples: [
      { apl: 'extract("id=([0-9]+)", 1, "a?id=42&b")', gives: '42' },
      { apl: 'extract("x(\\\\d+)", 1, "abc")', gives: null },
      { apl: 'extract("b+", 0, "abbc")', gives: 'bb' },
      { apl: 'extract("(a)(b+)", 0, "abbc")', gives: 'abb' },
      { apl: 'extract("(a)(b+)", 2, "abbc")', gives: 'bb' },
      { apl: 'extract("a(x*)b", 1, "ab")', gives: '' },
      { apl: 'extract("a(.)b", 1, "a\\nb")', gives: null },
      { apl: 'extract("é(é*)", 1, "é")', gives: '' },
    ],
    differs: { axiom: 'A type may follow, as in Kusto: extract(regex, 1, text, typeof(long)).' },
  }),
  {
    name: 'extract_all',
    summary:
      'The texts of groups in all matches of a regular expression: an array of texts for one group, an array of arrays for several.',
    overloads: [
      defineOverload({
        params: [regexParam, param('groups', 'array', { constant: true }), param('text', 'string')],
        returns: 'array',
        check: (args) => {
          const wrong = checkRegexAt(0)(args);
          const [regex, groups] = args;
          if (wrong !== undefined || groups?.constant === null || typeof regex?.constant !== 'string') return wrong;
          const pattern = patternOf(regex)!;
          const requestedGroups = groupsIn(groups, pattern);
          if (requestedGroups === undefined || requestedGroups.length === 0)
            return { argument: 1, message: 'groups must be an array of numbers or names, such as dynamic([1])' };
          const count = groupCount(regex);
          const none = requestedGroups.findIndex((g) => g < 0 || g > count);
          if (none < 0) return undefined;
          const given = (JSON.parse(String(groups?.constant)) as readonly (number | string)[])[none]!;
          return { argument: 1, message: noGroup(count, given) };
        },
        lower: ([regex, groups, text]) => {
          const pattern = patternOf(regex);
          const requestedGroups = pattern && groupsIn(groups, pattern);
          if (pattern === undefined || requestedGroups === undefined) return nullOf('array');
          return allExtracted(text.sql, pattern, requestedGroups);
        },
      }),
      defineOverload({
        params: [regexParam, param('text', 'string')],
        returns: 'array',
        check: checkRegexAt(0),
        lower: ([regex, text]) => {
          const pattern = patternOf(regex);
          if (pattern === undefined) return nullOf('array');
          const count = pattern.shape.groups.length;
          const groups = count === 0 ? [0] : Array.from({ length: count }, (_, i) => i + 1);
          return allExtracted(text.sql, pattern, groups);
        },
      }),
    ],
    examples: [
      { apl: 'extract_all("([0-9]+)", dynamic([1]), "/a/12/b/3")', gives: ['12', '3'] },
      {
        apl: 'extract_all("(\\\\w)=(\\\\d)", dynamic([2, 1]), "a=1,b=2")',
        gives: [
          ['1', 'a'],
          ['2', 'b'],
        ],
      },
      { apl: 'extract_all("(?P<a>\\w)=(?P<b>\\d)", dynamic(["b"]), "a=1,b=2")', gives: ['1', '2'] },
      { apl: 'extract_all("[é]+", "éaéé")', gives: ['é', 'éé'] },
      { apl: 'extract_all("(x)", dynamic([1]), "abc")', gives: [] },
      { apl: 'extract_all("[0-9]*", "é1a23")', gives: ['1', '23'] },
      {
        apl: 'extract_all("(a*)(b*)", "éab😀b")',
        gives: [
          ['a', 'b'],
          ['', 'b'],
        ],
      },
      { apl: 'extract_all("a(b*)", "aab")', gives: ['', 'b'] },
    ],
    differs: {
      axiom: 'Without a match the result is an empty array, not null. Empty matches are left out.',
    },
  },
  defineFunction({
    name: 'countof_regex',
    summary: 'The number of matches of a regular expression that do not overlap.',
    params: [regexParam, param('text', 'string')],
    returns: 'long',
    check: checkRegexAt(0),
    lower: ([regex, text]) => {
      const pattern = patternOf(regex);
      return pattern === undefined ? nullOf('long') : call('countMatches', text.sql, engineRegex(pattern.text));
    },
    examples: [
      { apl: 'countof_regex("a.", "banana")', gives: 2 },
      { apl: 'countof_regex("[0-9]", "none")', gives: 0 },
      { apl: 'countof_regex("x*", "axx")', gives: 1 },
      { apl: 'countof_regex("éé?", "éa")', gives: 1 },
    ],
    differs: { axiom: 'Empty matches do not count.' },
  }),
  defineFunction({
    name: 'replace_regex',
    aliases: ['replace'],
    summary:
      'The text with every match of a regular expression replaced; $0, $1, ${name} stand for the match and its groups.',
    params: [regexParam, param('rewrite', 'string'), param('text', 'string')],
    returns: 'string',
    check: checkRegexAt(0),
    lower: ([regex, rewrite, text]) => {
      const pattern = patternOf(regex);
      return pattern === undefined ? nullOf('string') : replaceAll(text.sql, pattern, rewrite);
    },
    examples: [
      { apl: 'replace_regex("(a)(b)", "$2$1", "ab-ab")', gives: 'ba-ba' },
      { apl: 'replace("[0-9]+", "<$0>", "a1b22")', gives: 'a<1>b<22>' },
      { apl: 'replace_regex("(?P<n>[0-9]+)ms", "${n} milliseconds", "12ms")', gives: '12 milliseconds' },
      { apl: 'replace_regex("a", "\\\\1", "a")', gives: '\\1' },
      { apl: 'replace_regex("\\\\Qa.b", "\\\\1", "a.b")', gives: '\\1' },
      { apl: 'replace_regex("a(x)?", "$$[$9]", "a")', gives: '$[]' },
      { apl: 'replace_regex("", "-", "né")', gives: '-n-é-' },
      { apl: 'replace_regex("a*", "-", "baac")', gives: '-b-c-' },
      { apl: 'replace_regex("\\\\d*", "#", "a12b")', gives: '#a#b#' },
      { apl: 'replace_regex("/*$", "/", "/a/b/")', gives: '/a/b/' },
      { apl: 'replace_regex(" *$", "", "é  ")', gives: 'é' },
      { apl: 'replace_regex("x*", "-", "né")', gives: '-n-é-' },
      { apl: 'replace_regex("x*|\\\\B", "<$0>", "€xxé")', gives: '<>€<xx>é<>' },
      { apl: 'replace_regex("x*", "é", "nxn")', gives: 'énéné' },
    ],
    differs: { kusto: 'The text comes last, and groups are $1 instead of \\1.' },
  }),
  defineFunction({
    name: 'indexof_regex',
    summary:
      'The position of a match of a regular expression, counted from 0, or -1 if there is none. As indexof, but occurrence comes before length.',
    params: [
      param('source', 'string'),
      regexParam,
      searchParams.start,
      { ...searchParams.occurrence, constant: true, within: { max: MAX_OCCURRENCE } },
      searchParams.length,
    ],
    returns: 'long',
    check: checkRegexAt(1),
    lower: ([source, regex, start, occurrence, length]) => {
      const pattern = patternOf(regex);
      if (pattern === undefined || occurrence?.constant === null) return nullOf('long');
      const window = windowOf(source.sql, start, length);
      const found = shareSubexpression(window.text, (text) =>
        matchPosition(text, pattern, Number(occurrence?.constant ?? 1n)),
      );
      return whereSensible(occurrence, length, inWhole(window, found));
    },
    examples: [
      { apl: 'indexof_regex("éa12b", "[0-9]+")', gives: 2 },
      { apl: 'indexof_regex("abc", "^c")', gives: -1 },
      { apl: 'indexof_regex("abé abc", "c\\\\b")', gives: 6 },
      { apl: 'indexof_regex(string(null), "a")', gives: null },
      { apl: 'indexof_regex("a1b2c3", "[0-9]", 0, 3)', gives: 5 },
      { apl: 'indexof_regex("aaa", "a+", 0, 2)', gives: -1 },
      { apl: 'indexof_regex("é, éa: éé", "\\\\w*é+", 1, 2)', gives: 7 },
      { apl: 'indexof_regex("a1b2c3", "[0-9]", 2)', gives: 3 },
      { apl: 'indexof_regex("a1b2c3", "[0-9]", -2)', gives: 5 },
      { apl: 'indexof_regex("abc1", "[0-9]", 0, 1, 3)', gives: -1 },
      { apl: 'indexof_regex("abc", "b", 0, 0)', gives: null },
    ],
    differs: { kusto: 'The occurrence comes before the length.' },
  }),
  defineFunction({
    name: 'regex_quote',
    summary: 'The text escaped as a regular expression that matches exactly this text.',
    params: [param('text', 'string')],
    returns: 'string',
    lower: ([text]) => call('replaceRegexpAll', text.sql, literal('[\\\\^$.|?*+()\\[\\]{}]'), literal('\\\\\\0')),
    fold: ([text]) => (typeof text === 'string' ? quoteRegex(text) : text),
    examples: [
      { apl: 'regex_quote("a.b[0]")', gives: 'a\\.b\\[0\\]' },
      { apl: 'regex_quote("(é+)")', gives: '\\(é\\+\\)' },
      { apl: 'regex_quote("plain")', gives: 'plain' },
    ],
  }),
];

/** Position of match number `occurrence`, -1 if there is none. */
function matchPosition(text: Expr, pattern: Pattern, occurrence: number): Expr {
  const { mayBeEmpty, looksAround } = pattern.shape;
  if (occurrence <= 1 && !mayBeEmpty && !looksAround)
    // The matched text does not occur before the match, or it would have matched there.
    return shareSubexpression(call('regexpExtract', text, engineRegex(pattern.text), integer(0)), (found) =>
      call(
        'if',
        call('equals', found, literal('')),
        call('toInt64', integer(-1)),
        call('minus', call('positionUTF8', text, found), integer(1)),
      ),
    );
  if (occurrence > 1 && !mayBeEmpty) return laterPosition(text, pattern, occurrence);
  // The shortest prefix before the wanted match, earlier matches included.
  const skipped = occurrence <= 1 ? '' : `(?:(?s:.*?)(?:${dottedPattern(pattern.text)})){${occurrence - 1}}`;
  const prefix = literal(`^(${skipped}(?s:.*?))(?:${dottedPattern(pattern.text)})`);
  const before = call('regexpExtract', text, prefix, integer(1));
  // Null must not count as no match.
  return call('if', call('equals', call('match', text, prefix), integer(0)), integer(-1), characters(before));
}

/**
 * Position of match number `occurrence` of an expression that never matches the empty text: each
 * search begins where the previous match ends. In a single expression for all matches the engine
 * would shorten earlier ones to make room for later ones.
 */
function laterPosition(text: Expr, pattern: Pattern, occurrence: number): Expr {
  const regex = literal(`((?s:.*?))(${dottedPattern(pattern.text)})`);
  const part = (match: Expr, index: number): Expr => call('arrayElement', match, integer(index));
  const matches = call(
    'arraySlice',
    call('extractAllGroupsVertical', call('assumeNotNull', text), regex),
    integer(1),
    integer(occurrence),
  );
  const position = shareSubexpression(matches, (all) => {
    const upTo = call(
      'arrayMap',
      lambda(['match'], call('concat', part(column('match'), 1), part(column('match'), 2))),
      all,
    );
    const last = part(call('arrayElement', all, integer(occurrence)), 2);
    return call(
      'if',
      call('less', call('length', all), integer(occurrence)),
      integer(-1),
      call('minus', characters(call('arrayStringConcat', upTo)), characters(last)),
    );
  });
  return whereAll([text], position);
}

/** The expression as part of a larger one. */
const dottedPattern = (text: string): string => (text.includes('.') ? `(?-s:${text})` : text);
