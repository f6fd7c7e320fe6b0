import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { markedParts } from './marks.js';

it.each([
  ['a timeout here', ['timeout'], 'a |0:timeout| here'],
  ['Timeout TIMEOUT', ['timeout'], '0:Timeout| |0:TIMEOUT'],
  ['abcd', ['b', 'bc'], 'a|1:bc|d'],
  ['nothing', [''], 'nothing'],
])('%j with %j', (text, words, parts) =>
  expect(
    markedParts(text, words)
      .map(({ text, mark }) => (mark === undefined ? text : `${mark}:${text}`))
      .join('|'),
  ).toBe(parts),
);

it('nothing of a text is lost', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ maxLength: 3 })), (text, words) => {
      expect(
        markedParts(text, words)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  ));
