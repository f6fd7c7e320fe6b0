import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { highlightParts } from './highlights.js';

it.each([
  ['a timeout here', ['timeout'], 'a |0:timeout| here'],
  ['Timeout TIMEOUT', ['timeout'], '0:Timeout| |0:TIMEOUT'],
  ['abcd', ['b', 'bc'], 'a|1:bc|d'],
  ['nothing', [''], 'nothing'],
])('%j with %j', (text, words, parts) =>
  expect(
    highlightParts(text, words)
      .map(({ text, mark }) => (mark === undefined ? text : `${mark}:${text}`))
      .join('|'),
  ).toBe(parts),
);

it('keeps all of the text', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ maxLength: 3 })), (text, words) => {
      expect(
        highlightParts(text, words)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  ));
