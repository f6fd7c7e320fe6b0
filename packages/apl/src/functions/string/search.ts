import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { whereAll } from '../../lower/equality.js';
import { firstTermInList } from '../operators/term-list.js';
import { textsJson } from '../../lower/strings/known-texts.js';
import type { TextAt } from '../../lower/strings/known-texts.js';
import { elementsOf } from '../../lower/json/members.js';
import { mapElements, textOf } from '../array/elements.js';
import { defineFunction, param } from '../define.js';
import { part } from '../json-text.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { fromStart, inWhole, positionOf, searchParams, textFrom, whereSensible, windowOf } from './position.js';

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'substring',
    summary:
      'A part of the text, from a position counted from 0 (negative: from the end), at most length characters long.',
    params: [param('text', 'string'), param('start', 'long'), param('length', 'long', { optional: true })],
    returns: 'string',
    lower: ([text, start, length]) => textFrom(text.sql, fromStart(text.sql, start), length),
    examples: [
      { apl: 'substring("abcdef", 2)', gives: 'cdef' },
      { apl: 'substring("aéb😀c", 1, 3)', gives: 'éb😀' },
      { apl: 'substring("abc", 10)', gives: '' },
      { apl: 'substring("abcdef", -2)', gives: 'ef' },
      { apl: 'substring("abc", -10, 2)', gives: 'ab' },
      { apl: 'substring("abc", 0, -1)', gives: '' },
    ],
  }),
  defineFunction({
    name: 'indexof',
    summary:
      'The position of a text in another, counted from 0, or -1 if it is not there. The search may begin at start, be limited to length characters and look for a later occurrence.',
    params: [
      param('source', 'string'),
      param('lookup', 'string'),
      searchParams.start,
      searchParams.length,
      searchParams.occurrence,
    ],
    returns: 'long',
    lower: ([source, lookup, start, length, occurrence]) => {
      const window = windowOf(source.sql, start, length);
      const found = inWhole(window, positionOf(window.text, lookup.sql, occurrence));
      return whereSensible(occurrence, length, found);
    },
    examples: [
      { apl: 'indexof("hello", "l")', gives: 2 },
      { apl: 'indexof("aéb", "b")', gives: 2 },
      { apl: 'indexof("hello", "z")', gives: -1 },
      { apl: 'indexof("abcabc", "a", 1)', gives: 3 },
      { apl: 'indexof("abcabc", "c", 0, 2)', gives: -1 },
      { apl: 'indexof("éa-éa-éa", "a", 0, -1, 3)', gives: 7 },
      { apl: 'indexof("abcabc", "a", -3)', gives: 3 },
      { apl: 'indexof("abc", "a", 0, -1, 0)', gives: null },
    ],
  }),
  defineFunction({
    name: 'countof',
    summary: 'How often a text occurs in another without overlapping.',
    params: [param('search', 'string'), param('text', 'string')],
    returns: 'long',
    lower: ([search, text]) => call('countSubstrings', text.sql, search.sql),
    examples: [
      { apl: 'countof("an", "banana")', gives: 2 },
      { apl: 'countof("aa", "aaaa")', gives: 2 },
      { apl: 'countof("x", "banana")', gives: 0 },
      { apl: 'countof("", "banana")', gives: 0 },
    ],
    differs: { kusto: 'The text searched for comes first, and occurrences do not overlap.' },
  }),
  defineFunction({
    name: 'has_any_index',
    summary: 'The place, from 0, of the first value of an array that a text has as a whole term; -1 if it has none.',
    params: [param('text', 'string'), param('values', 'array')],
    returns: 'long',
    lower: ([text, values]) => whereAll([text.sql, values.sql], firstTermInList(text.sql, values)),
    examples: [
      { apl: 'has_any_index("this is an Example", dynamic(["this", "example"]))', gives: 0 },
      { apl: 'has_any_index("this is an example", dynamic(["not", "example"]))', gives: 1 },
      { apl: 'has_any_index("this is an example", dynamic([null, "exam"]))', gives: -1 },
      { apl: 'has_any_index("example number 2", range(1, 3, 1))', gives: 1 },
      { apl: 'has_any_index("a", dynamic([]))', gives: -1 },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'strcmp',
    summary: '-1, 0 or 1 if the first text is before, equal to or after the second in byte order.',
    params: [param('first', 'string'), param('second', 'string')],
    returns: 'long',
    lower: ([a, b]) => call('minus', call('greater', a.sql, b.sql), call('less', a.sql, b.sql)),
    examples: [
      { apl: 'strcmp("a", "b")', gives: -1 },
      { apl: 'strcmp("b", "a")', gives: 1 },
      { apl: 'strcmp("é", "é")', gives: 0 },
    ],
  }),
  defineFunction({
    name: 'split',
    summary:
      'The parts of a text between delimiters, or only the one at an index; an empty delimiter splits into characters.',
    params: [
      param('source', 'string'),
      param('delimiter', 'string', { constant: true }),
      param('index', 'long', { optional: true }),
    ],
    returns: 'array',
    lower: ([source, delimiter, index]) => {
      const parts =
        delimiter.constant === ''
          ? call('extractAll', source.sql, literal('(?s).'))
          : call('splitByString', delimiter.sql, source.sql);
      if (index !== undefined && index.constant !== null)
        return textsJson([source.sql, delimiter.sql, index.sql], partAt(parts, index));
      // The engine would split null into one empty part.
      return textsJson([source.sql, delimiter.sql], parts, partOf(source.sql, delimiter));
    },
    examples: [
      { apl: 'split("a,b,,c", ",")', gives: ['a', 'b', '', 'c'] },
      { apl: 'split("a--é--c", "--")', gives: ['a', 'é', 'c'] },
      { apl: 'split("aé😀", "")', gives: ['a', 'é', '😀'] },
      { apl: 'split("", ",")', gives: [''] },
      { apl: 'split("a,b,c", ",", 1)', gives: ['b'] },
      { apl: 'split("a,b,c", ",", 3)', gives: [] },
      { apl: 'split("a,b,c", ",", -1)', gives: ['c'] },
      { apl: 'split("a,b,c", ",", -4)', gives: [] },
      { apl: 'split("a,b,c", ",", countof(",", "a,b,c"))', gives: ['c'] },
      { apl: 'split("a,b,c", ",", strlen("xx") - 3)', gives: ['c'] },
    ],
    differs: { axiom: 'With an index, an array of that part alone, as in Kusto.' },
  }),
  defineFunction({
    name: 'replace_string',
    summary: 'The text with every occurrence of one text replaced by another.',
    params: [param('lookup', 'string'), param('rewrite', 'string'), param('text', 'string')],
    returns: 'string',
    lower: ([lookup, rewrite, text]) => call('replaceAll', text.sql, lookup.sql, rewrite.sql),
    examples: [
      { apl: 'replace_string(".", "-", "a.b.c")', gives: 'a-b-c' },
      { apl: 'replace_string("é", "", "été")', gives: 't' },
      { apl: 'replace_string("", "x", "abc")', gives: 'abc' },
    ],
    differs: { kusto: 'The text comes last, not first.' },
  }),
  defineFunction({
    name: 'replace_strings',
    summary:
      'The text with every occurrence of each text of an array replaced by the one at the same place of another array. What was replaced is not searched again.',
    params: [param('text', 'string'), param('lookups', 'array'), param('rewrites', 'array')],
    returns: 'string',
    lower: ([text, lookups, rewrites]) => {
      const [from, to] = [lookups, rewrites].map((array) =>
        mapElements(elementsOf(array.sql), 'element', (element) => textOf(element)),
      );
      const pair = (n: number): Expr => part(column('pair'), n);
      const size = call('least', call('length', from!), call('length', to!));
      const each = (last: Expr): Expr =>
        call('arrayZip', call('arrayResize', from!, size), call('arrayResize', to!, size), last);
      const places = each(call('range', integer(1), call('plus', size, integer(1))));
      const swapRange = (by: (text: Expr) => Expr, start: Expr): Expr =>
        call('arrayFold', lambda(['text', 'pair'], by(column('text'))), places, start);
      // Marks first, so that what one text was replaced by is not searched for the next ones.
      const mark = call('concat', literal(MARK), call('repeat', literal('\u{2}'), pair(3)), literal(MARK));
      const marked = swapRange(
        (so) => call('if', call('empty', pair(1)), so, call('replaceAll', so, pair(1), mark)),
        call('ifNull', text.sql, literal('')),
      );
      return whereAll(
        [text.sql, lookups.sql, rewrites.sql],
        swapRange((so) => call('replaceAll', so, mark, pair(2)), marked),
      );
    },
    examples: [
      { apl: 'replace_strings("a.b-c", dynamic([".", "-"]), dynamic(["/", ""]))', gives: 'a/bc' },
      { apl: 'replace_strings("ab", dynamic(["a", "b"]), dynamic(["b", "c"]))', gives: 'bc' },
      { apl: 'replace_strings("This is", dynamic(["is", "This"]), dynamic(["was", ""]))', gives: 'Thwas was' },
      { apl: 'replace_strings("ab", dynamic([]), dynamic([]))', gives: 'ab' },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'translate',
    summary:
      'The text with each character of one list replaced by the one at the same position in another; if that is shorter, its last character is repeated.',
    params: [
      param('searchList', 'string', { constant: true }),
      param('replacementList', 'string', { constant: true }),
      param('text', 'string'),
    ],
    returns: 'string',
    lower: ([search, replacement, text]) => {
      if (typeof search.constant !== 'string' || typeof replacement.constant !== 'string')
        return whereAll([search.sql, replacement.sql], text.sql);
      const [from, to] = pairs(search.constant, replacement.constant);
      return from === '' ? text.sql : call('translateUTF8', text.sql, literal(from), literal(to));
    },
    examples: [
      { apl: 'translate("abc", "xyz", "aabbcc-z")', gives: 'xxyyzz-z' },
      { apl: 'translate("abc", "x", "aabbcc")', gives: 'xxxxxx' },
      { apl: 'translate("aeiou", "", "frontend")', gives: 'frntnd' },
      { apl: 'translate("é", "e", "été")', gives: 'ete' },
    ],
  }),
];

/** Begins and ends what stands for a text that is replaced; no log has it. */
const MARK = '\u{1}';

/** More parts than any text has. */
const MANY_PARTS = 2n ** 31n;

/** The part at an index, in an array with one element; empty before the first part. */
function partAt(parts: Expr, { sql, constant }: LoweredArgument): Expr {
  const none = call('arraySlice', parts, integer(1), integer(0));
  const partFrom = (at: Expr): Expr => call('arraySlice', parts, at, integer(1));
  if (typeof constant === 'bigint' && constant >= 0n) return partFrom(integer(constant + 1n));
  return shareSubexpression(sql, (index) =>
    call(
      'multiIf',
      call('greaterOrEquals', index, integer(0)),
      partFrom(call('plus', index, integer(1))),
      call('greaterOrEquals', call('plus', call('toInt64', call('length', parts)), index), integer(0)),
      partFrom(index),
      none,
    ),
  );
}

/** A part of a text: the engine need not split the text after it, or any text for the last part. */
function partOf(source: Expr, { sql: delimiter, constant }: LoweredArgument): TextAt | undefined {
  if (typeof constant !== 'string' || constant === '') return undefined;
  // oxlint-disable-next-line no-control-regex -- matches all of ASCII on purpose
  const isByte = /^[\u0000-\u007f]$/.test(constant);
  return (place) => {
    if (place === -1n && isByte) return call('substringIndex', source, delimiter, integer(place));
    if (place < 0n || place >= MANY_PARTS) return undefined;
    const count = integer(place + 1n);
    return call('arrayElementOrNull', call('splitByString', delimiter, source, count), count);
  };
}

/**
 * The two lists, with every character once and a replacement for each; the first of equal
 * characters counts.
 */
function pairs(search: string, replacement: string): readonly [string, string] {
  const to = [...replacement];
  const map = new Map<string, string>();
  for (const [i, char] of [...search].entries()) if (!map.has(char)) map.set(char, to[i] ?? to.at(-1) ?? '');
  return [[...map.keys()].join(''), [...map.values()].join('')];
}
