import { call } from '@millrace/sql';
import { asString } from '../../lower/values.js';
import { defineFunction, param, unary } from '../define.js';
import type { FunctionRecord } from '../define.js';

/** A function of one text. */
export const ofText = unary(param('text', 'string'));

export const functions: readonly FunctionRecord[] = [
  ofText('strlen', 'The number of characters.', 'long', (text) => call('lengthUTF8', text), [
    { apl: 'strlen("hello")', gives: 5 },
    { apl: 'strlen("aé😀")', gives: 3 },
    { apl: 'strlen("")', gives: 0 },
  ]),
  ofText('string_size', 'The number of bytes in UTF-8.', 'long', (text) => call('length', text), [
    { apl: 'string_size("hello")', gives: 5 },
    { apl: 'string_size("aé😀")', gives: 7 },
  ]),
  ofText('tolower', 'The text in lower case.', 'string', (text) => call('lowerUTF8', text), [
    { apl: 'tolower("HeLLo")', gives: 'hello' },
    { apl: 'tolower("ÀÉÑ")', gives: 'àéñ' },
  ]),
  ofText('toupper', 'The text in upper case.', 'string', (text) => call('upperUTF8', text), [
    { apl: 'toupper("hello")', gives: 'HELLO' },
    { apl: 'toupper("àéñ")', gives: 'ÀÉÑ' },
  ]),
  {
    ...ofText(
      'totitle',
      'The text with the first letter of every word in upper case and the rest in lower case.',
      'string',
      (text) => call('initcapUTF8', text),
      [
        { apl: 'totitle("hello wORLD")', gives: 'Hello World' },
        { apl: 'totitle("élan-vital")', gives: 'Élan-Vital' },
        { apl: 'totitle("")', gives: '' },
      ],
    ),
    differs: { axiom: 'The documentation speaks of the first character only, and not of the rest.' },
  },
  ofText('isascii', 'Whether every character is ASCII.', 'bool', (text) => call('isValidASCII', text), [
    { apl: 'isascii("hello")', gives: true },
    { apl: 'isascii("héllo")', gives: false },
    { apl: 'isascii("")', gives: true },
  ]),
  defineFunction({
    name: 'reverse',
    summary: 'The characters in reverse order.',
    params: [param('value', 'any')],
    returns: 'string',
    lower: ([value]) => call('reverseUTF8', asString(value)),
    examples: [
      { apl: 'reverse("abc")', gives: 'cba' },
      { apl: 'reverse("aé😀")', gives: '😀éa' },
      { apl: 'reverse(120)', gives: '021' },
    ],
  }),
];
