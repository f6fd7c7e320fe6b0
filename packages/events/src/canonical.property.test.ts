import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { rows } from './testing/encode.js';

/** Equal values are stored as the same text, independent of the client's formatting. */

const mapFields = new Set(['m']);
const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t ');
const character = fc.oneof(
  fc.constantFrom('a', 'é', '/', '"', '\\', '\n', '\u0001', '\u007f', '😀', 'ß', '\u2028', ' '),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const escapeText = (text: string, how: number): string => {
  const units = Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`);
  if (how === 0) return units.join('');
  if (how === 1) return units.join('').toUpperCase().replaceAll('\\U', '\\u');
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', how === 2 ? '\\/' : '/');
};
const text = fc
  .array(fc.tuple(character, fc.nat(3)), { maxLength: 6 })
  .map((parts) => `"${parts.map(([part, how]) => escapeText(part, how)).join('')}"`);
const digits = fc.string({ unit: fc.constantFrom(...'00123456789'), minLength: 1, maxLength: 24 });
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits.map((some) => some.replace(/^0+(?=\d)/, '')),
    fc.option(digits),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(330))),
  )
  .map(
    ([sign, whole, fraction, power]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power?.join('') ?? ''}`,
  );
const name = fc.oneof(fc.constantFrom('"a"', '"b"', String.raw`"\u0061"`), text);
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      'true',
      'false',
      'null',
      '1.0',
      '1e0',
      '-0',
      '0.10',
      '1E2',
      '9223372036854775808',
      '-9223372036854775808',
    ),
    text,
    number,
    fc
      .tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }))
      .map(([only, items]) => `[${items.length === 0 ? only : items.map((item) => item.join('')).join(',')}]`),
    fc
      .tuple(space, fc.array(fc.tuple(space, name, space, space, tie('value'), space), { maxLength: 5 }))
      .map(
        ([only, members]) =>
          `{${members.length === 0 ? only : members.map(([a, key, b, c, item, d]) => `${a}${key}${b}:${c}${item}${d}`).join(',')}}`,
      ),
  ),
}));

test('arrays and map fields are stored in one form, whatever form they are sent in', () => {
  fc.assert(
    fc.property(value, (sent) => {
      expect(rows(`{"a":[${sent}]}`)).toEqual([{ 'a#j': canonicalJson(`[${sent}]`) }]);
      const stored = canonicalJson(`{"k":${sent}}`);
      expect(rows(`{"m":{"k":${sent}}}`, { mapFields })).toEqual([{ 'm#m': stored }]);
      // Canonical input is unchanged.
      expect(rows(`{"a":[${canonicalJson(sent)}]}`)).toEqual([{ 'a#j': canonicalJson(`[${sent}]`) }]);
    }),
    { numRuns: 600 },
  );
});

test('of many members of one name the last is kept, in objects of any size', () => {
  for (const count of [2, 17, 64, 65, 1000]) {
    const members = Array.from({ length: count }, (_, i) => `"k${i}":${i}`);
    const sent = `{"a":[{${[...members, '"k1":"again"', ...members.slice(0, 1)].join(',')}},{${members.join(',')}}]}`;
    expect(rows(sent)).toEqual([{ 'a#j': canonicalJson(sent.slice(5, -1)) }]);
  }
});
