import { array, assert, constantFrom, pre, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../testing/engine.js';
import { readRegex } from './re2.js';
import { withoutCaptures } from './regex-tree.js';

const engine = testEngine();

/**
 * Whether the engine accepts a regular expression. Without the character class it would search for
 * a plain text and never compile it.
 */
function engineTakes(regex: string): boolean {
  const literal = `[x]|${regex}`.replace(/[\\']/g, '\\$&');
  try {
    engine.text(`SELECT match(materialize('x'), '${literal}') FORMAT Null`);
    return true;
  } catch (error) {
    if (/CANNOT_COMPILE_REGEXP/.test(String(error))) return false;
    throw error;
  }
}

/**
 * Formats the groups that were parsed: `+` always matches some text, `-` may be empty; then the
 * name, if any.
 */
function groups(regex: string): string {
  const reading = readRegex(regex);
  if (!reading.ok) return reading.message;
  return reading.shape.groups.map(({ filled, name = '' }) => `${filled ? '+' : '-'}${name}`).join(' ');
}

describe('groups', () => {
  it.each([
    ['a(b)c', '+'],
    ['(a|b)', '+'],
    ['(a)|b', '-'],
    ['(a)?b', '-'],
    ['(a){0,2}', '-'],
    ['(a){1,2}', '+'],
    ['(a*)b', '-'],
    ['((a)(b|))', '+ + -'],
    ['(?:a)(?i:b)(c)', '+'],
    ['(?P<year>\\d{4})-(?<month>\\d\\d)', '+year +month'],
    ['(^|$)', '-'],
    ['(\\Q(\\E)', '+'],
    ['[(](é)', '+'],
  ])('%s', (regex, expected) => expect(groups(regex)).toBe(expected));
});

describe('invalid input', () => {
  it.each([
    ['(?=x)', 'no look-around ((?=…); match more and extract the part you need'],
    ['a(?<!b)', 'no look-around ((?<!…); match more and extract the part you need'],
    ['(a)\\1', 'no back-references (\\1)'],
    ['(', 'a ( has no )'],
    ['a)', 'a ) has no ('],
    ['[a', 'a [ has no ]'],
    ['a**', 'nothing to repeat for *'],
    ['a|*', 'nothing to repeat for *'],
    ['(a{100}){100}', '{100} repeats more than 1000 times'],
    ['a{2,1}', '{2,1} ends before it begins'],
    ['[z-a]', 'z-a is no range of characters'],
    ['\\p{Grek}', '\\p{Grek} is no class of characters; there are categories such as Lu and scripts such as Greek'],
    ['\\Z', '\\Z is no escape'],
    ['x\\', 'a \\ stands at the end'],
    ['[[:foo:]]', '[:foo:] is no class of characters'],
    // The engine accepts these, but they are useless or too expensive.
    ['(?<n>a)(?<n>b)', 'two groups are named n'],
    [`${'('.repeat(200)}${')'.repeat(200)}`, 'groups are nested deeper than 100'],
    ['(?:\\pL{100}){10}', 'it is too large'],
  ])('%s', (regex, message) => {
    expect(readRegex(regex)).toEqual({ ok: false, message: `regular expression: ${message}` });
  });
});

describe('what the engine refuses', () => {
  it.each(['(?=x)', '(a)\\1', '(', 'a)', '[a', 'a**', '(a{100}){100}', '[z-a]', '\\Z', 'x\\', '{2}', '\\é'])(
    '%s',
    (regex) => {
      expect([readRegex(regex).ok, engineTakes(regex)]).toEqual([false, false]);
    },
  );
});

describe('classes of characters', () => {
  const names =
    'Any C Cn Co L LC Lu L_ Yi Zs Greek Grek Zinh Zyyy Inherited Common Unknown Garay Han Hani Toto Letter any';
  it.each(names.split(' '))('%s', (name) => {
    const regex = `\\p{${name}}`;
    expect(readRegex(regex).ok).toBe(engineTakes(regex));
  });
});

describe('any text', () => {
  const pieces =
    'a b 0 é . ^ $ * + ? ( ) [ ] { } {2} {1,3} {, - , = ! < > : | (?: (?i) (?s: (?P<n> [^ [:alpha:] ' +
    '\\ \\d \\b \\pL \\p{Greek} \\x41 \\x{e9} \\Q \\E \\A \\z \\_ \\1 \\C \\07';
  const piece = constantFrom(...pieces.split(' '));
  it('that is read is taken by the engine', () => {
    assert(
      property(array(piece, { maxLength: 8 }), (some) => {
        const regex = some.join('');
        const reading = readRegex(regex);
        pre(reading.ok);
        if (!reading.ok) return;
        expect(engineTakes(regex) ? '' : regex).toBe('');
        const recompiled = `(${withoutCaptures(reading.shape.tree)})`;
        expect(engineTakes(recompiled) ? '' : `${regex} as ${recompiled}`).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});
