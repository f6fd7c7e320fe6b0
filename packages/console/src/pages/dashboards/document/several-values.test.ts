import { expect, it } from 'vitest';
import { valuesIn, valuesText } from './several-values.js';

it.each([
  ['', []],
  ['api', ['api']],
  ['api,web', ['api', 'web']],
  [String.raw`a\,b,c\\d`, ['a,b', String.raw`c\d`]],
])('%j', (text, values) => {
  expect(valuesIn(text)).toEqual(values);
  expect(valuesText(values)).toBe(text);
});
