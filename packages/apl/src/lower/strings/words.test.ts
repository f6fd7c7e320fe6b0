import { tablesWithWords } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';
import { wordsIn } from './words.js';

const catalog = catalogWithoutTable('logs', {
  status: 'long',
  ok: 'bool',
  level: 'string',
  message: 'string',
  tags: 'array',
});

/** The sets of words that a query records at its tables, each as a line. */
const recordedWords = (text: string): readonly string[] =>
  tablesWithWords(compileOrThrow(text, { catalog }).query).flatMap(({ words }) => words.map((set) => set.join(' ')));

describe('extracts the words of the search term', () => {
  it.each([
    ['u-77777', true, true, 'u 77777'],
    ['u-77777', false, true, '77777'],
    ['u-77777', true, false, 'u'],
    ['u-77777', false, false, ''],
    ['/api/v1', false, false, 'api'],
    ['Error: ERROR', true, true, 'error'],
    ['', true, true, ''],
    ['größe', true, true, 'gr e'],
    ['ſet \u212aelvin İx ıy', true, true, 'set kelvin ix iy'],
    ['i\u0307x', true, true, ''],
    ['x_y', true, true, 'x y'],
  ])('%j, word ends at its ends %j %j: %j', (needle, first, last, words) => {
    expect(wordsIn(needle, { first, last }).join(' ')).toBe(words);
  });
});

describe('words of conditions', () => {
  it.each<readonly [string, ...string[]]>([
    ["logs | search 'u-77777'", 'u 77777'],
    ["logs | search 'err*'"],
    ["logs | search 'a-b*'", 'a'],
    ["logs | search '*a-b'", 'b'],
    ["logs | search 'ax' or 'bx'", 'ax', 'bx'],
    ["logs | search 'ax' and 'bx'", 'ax bx'],
    ["logs | search not('ax')"],
    // It may be in a number or a boolean.
    ["logs | search '77777'"],
    ["logs | search 'true'"],
    ["logs | where level == 'not found'", 'not found'],
    ["logs | where 'not found' == level", 'not found'],
    ["logs | where level != 'x'"],
    ["logs | where not(level == 'x')"],
    ["logs | where level =~ 'X'", 'x'],
    ["logs | where level in ('a', 'b c')", 'a', 'b c'],
    ["logs | where level in~ ('A', 'b')", 'a', 'b'],
    ["logs | where level !in ('a')"],
    ["logs | where message has 'x' and status > 5", 'x'],
    ["logs | where message has 'x' or status > 5"],
    ["logs | where message has 'x' or level == 'y'", 'x', 'y'],
    ["logs | where (message has 'x' or level == 'y') and tags has 'z'", 'z x', 'z y'],
    ["logs | where message !has 'x'"],
    ["logs | where message contains 'a b c'", 'b'],
    ["logs | where message contains 'abc'"],
    ["logs | where message startswith 'a b'", 'a'],
    ["logs | where message endswith 'a b'", 'b'],
    ["logs | where message has_any ('a', 'b')", 'a', 'b'],
    ["logs | where message has_all ('a', 'b')", 'a b'],
    ["logs | where message has ''"],
    ["logs | where message matches regex 'a b c'"],
    ["logs | where message has 'x' | where level == 'y' | summarize count() by status", 'x y'],
    // A string computed from another one has other words.
    ["logs | extend m = strcat(message, level) | where m has 'x'"],
    ["logs | where toupper(message) has 'x'"],
    ["logs | where tags[0] has 'x'"],
    ["logs | where status has 'x'"],
    ["logs | take 10 | where message has 'x'"],
    ["logs | summarize count() by level | where level == 'x'"],
    ["union (logs | where level == 'a'), (logs | where level == 'b')", 'a', 'b'],
    ["logs | where level == 'a' | join kind=inner (logs | where level == 'b') on status", 'a', 'b'],
    ["logs | where level in ('1','2','3','4','5','6','7','8','9')"],
  ])('%s', (text, ...words) => {
    expect(recordedWords(text)).toEqual(words);
  });
});
