import { expect, test } from 'vitest';
import { encode, errors, rows } from '../testing/encode.js';

/**
 * Text is scanned in steps of several bytes: special bytes must be detected at each offset of a
 * step and at the end of the body.
 */

const places = Array.from({ length: 34 }, (_, place) => place);
const letters = (count: number): string => 'abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, count);
/** The event with the end of the body directly after it, within a step, and beyond one. */
const endings = ['', '\n', ' '.repeat(15), ' '.repeat(64)];

const check = (name: string, json: (before: string, behind: string) => string, meant: string) =>
  test(`${name} at each place of a step`, () => {
    for (const ending of endings) {
      for (const place of places) {
        for (const behind of ['', 'z', letters(30)]) {
          const body = `{"a":"${json(letters(place), behind)}"}${ending}`;
          expect(rows(body), body).toEqual([{ 'a#s': `${letters(place)}${meant}${behind}` }]);
        }
      }
    }
  });

check('the closing quote', (before, behind) => `${before}${behind}`, '');
check('an escape', (before, behind) => String.raw`${before}\n${behind}`, '\n');
check('an escaped quote', (before, behind) => String.raw`${before}\"${behind}`, '"');
check('two escapes', (before, behind) => String.raw`${before}\r\n${behind}`, '\r\n');
check(
  'escapes a step apart',
  (before, behind) => String.raw`${before}\t0123456789abcd\t${behind}`,
  '\t0123456789abcd\t',
);
check('a code point', (before, behind) => String.raw`${before}\u00e9${behind}`, 'é');
check('a pair of surrogates', (before, behind) => String.raw`${before}\ud83d\ude00${behind}`, '😀');
check('two bytes', (before, behind) => `${before}é${behind}`, 'é');
check('four bytes', (before, behind) => `${before}😀${behind}`, '😀');
check('DEL, which is no control character of JSON', (before, behind) => `${before}\u007f${behind}`, '\u007f');

test('of the ASCII characters only those below the space, the quote and the backslash are special', () => {
  for (const place of places) {
    for (let code = 0; code < 0x80; code++) {
      const character = String.fromCharCode(code);
      const body = `{"a":"${letters(place)}${character}"}\n${letters(32)}`;
      if (code < 0x20) {
        expect(errors(body)[0], body).toMatch(/^expected a control character to be escaped/);
      } else if (character !== '"' && character !== '\\') {
        expect(rows(`${body.slice(0, body.indexOf('\n'))}`), body).toEqual([
          { 'a#s': `${letters(place)}${character}` },
        ]);
      }
    }
  }
});

test('a body that ends within a string reports that, at any chunk boundary', () => {
  for (const place of places) {
    expect(errors(`{"a":"${letters(place)}`)).toEqual(['expected the closing quote of a string, found the end']);
  }
});

test('a body that ends behind a backslash fails at its end, wherever in a step', () => {
  for (const place of places) {
    const body = `{"a":"${letters(place)}\\`;
    const [failure] = encode(body).failures;
    expect([failure!.offset, errors(body)], body).toEqual([
      body.length,
      ['expected one of "\\/bfnrtu behind a backslash, found the end'],
    ]);
  }
});
