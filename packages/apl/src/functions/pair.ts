import { and, call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../lower/values.js';
import { packBag } from '../lower/json/members.js';
import { filterElements, mapElements, ofArray } from './array/elements.js';
import { bindValue } from './bound-argument.js';
import { defineFunction, param } from './define.js';
import type { FunctionRecord, LoweredArgument } from './define.js';
import { contentOf, holdsText, part } from './json-text.js';

/** Pairs: a key and a value, joined into a single string with a separator. */

const constantText = (text: string): LoweredArgument => ({ type: 'string', sql: literal(text), constant: text });
const colon = constantText(':');
const separatorParam = param('separator', 'string', { optional: true });

const pairBag = (key: Expr, value: Expr, separator: LoweredArgument): Expr =>
  packBag([
    { key: constantText('key'), value: { type: 'string', sql: key } },
    { key: constantText('value'), value: { type: 'string', sql: value } },
    { key: constantText('separator'), value: separator },
  ]);

/** `body` unless an argument is null. */
const unlessNull = (args: readonly LoweredArgument[], body: Expr): Expr =>
  call('if', and(...args.map(({ sql }) => call('isNotNull', sql))), body, nullOf('bag'));

/**
 * Position of the first separator, from 1; 0 if there is none. An empty separator, which the engine
 * finds at the start, is never found.
 */
const separatorIn = (text: Expr, separator: Expr): Expr =>
  call('if', call('empty', separator), integer(0), call('position', text, separator));

/** Key and value of a text as a tuple; without a separator the whole text is the value. */
function cut(text: Expr, separator: Expr): Expr {
  const at = separatorIn(text, separator);
  const key = call('substring', text, integer(1), call('minus', call('greatest', at, integer(1)), integer(1)));
  const value = call('substring', text, call('plus', at, call('length', separator)));
  return call('tuple', key, call('if', call('equals', at, integer(0)), text, value));
}

/**
 * A text, empty instead of null: both parts of the tuple must have the same type to be compared.
 */
const plain = ({ sql }: LoweredArgument): Expr => call('ifNull', sql, literal(''));

/** Whether a string matches a pattern in which * is any text. */
function fits(text: Expr, pattern: string): Expr {
  if (pattern === '*') return literal(true);
  const like = pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
  return call('like', text, literal(like));
}

/** Functions on pairs. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'pair',
    summary: 'An object with the key, the value and the separator, a colon by default.',
    params: [param('key', 'string'), param('value', 'string'), separatorParam],
    returns: 'bag',
    onceEach: true,
    lower: ([key, value, separator = colon]) =>
      unlessNull([key, value, separator], pairBag(key.sql, value.sql, separator)),
    examples: [
      { apl: 'pair("method", "GET")', gives: { key: 'method', value: 'GET', separator: ':' } },
      { apl: 'pair("é", "a\\"b", "=")', gives: { key: 'é', value: 'a"b', separator: '=' } },
      { apl: 'pair("k", string(null))', gives: null },
    ],
  }),
  defineFunction({
    name: 'parse_pair',
    summary:
      'An object with the key before the first separator, the value after it, and the separator, a colon by default; without a separator the whole text is the value.',
    params: [param('text', 'string'), separatorParam],
    returns: 'bag',
    onceEach: true,
    lower: ([text, separator = colon]) =>
      unlessNull(
        [text, separator],
        bindValue('cut', cut(plain(text), plain(separator)), (found) =>
          pairBag(part(found, 1), part(found, 2), separator),
        ),
      ),
    examples: [
      { apl: 'parse_pair("host:server1:80")', gives: { key: 'host', value: 'server1:80', separator: ':' } },
      { apl: 'parse_pair("é => ü", " => ")', gives: { key: 'é', value: 'ü', separator: ' => ' } },
      { apl: 'parse_pair("novalue")', gives: { key: '', value: 'novalue', separator: ':' } },
      { apl: 'parse_pair("a:b", "")', gives: { key: '', value: 'a:b', separator: '' } },
      { apl: 'parse_pair("")', gives: { key: '', value: '', separator: ':' } },
    ],
  }),
  defineFunction({
    name: 'find_pair',
    summary:
      'The first pair in an array of texts whose key and value match the two patterns, in which * stands for any text, as an object of key, value and separator; null if there is none.',
    params: [
      param('array', 'array'),
      param('keyPattern', 'string', { constant: true }),
      param('valuePattern', 'string', { constant: true }),
      separatorParam,
    ],
    returns: 'bag',
    onceEach: true,
    lower: ([array, keyPattern, valuePattern, separator = colon]) =>
      ofArray(
        array,
        'bag',
        (elements) => {
          const texts = mapElements(
            filterElements(elements, 'element', (element) => holdsText(element)),
            'element',
            contentOf,
          );
          const pairs = mapElements(
            filterElements(texts, 'text', (text) => call('notEquals', separatorIn(text, plain(separator)), integer(0))),
            'text',
            (text) => cut(text, plain(separator)),
          );
          const fitting = filterElements(pairs, 'pair', (found) =>
            and(fits(part(found, 1), String(keyPattern.constant)), fits(part(found, 2), String(valuePattern.constant))),
          );
          return bindValue('fitting', fitting, (all) => {
            const first = call('arrayElement', all, integer(1));
            return call('if', call('empty', all), nullOf('bag'), pairBag(part(first, 1), part(first, 2), separator));
          });
        },
        [keyPattern, valuePattern, separator],
      ),
    examples: [
      {
        apl: 'find_pair(dynamic([7, "env", "server:web01", "server:web02"]), "server", "*")',
        gives: { key: 'server', value: 'web01', separator: ':' },
      },
      { apl: 'find_pair(dynamic(["a_b=50%", "aXb=5é"]), "a?b", "*", "=")', gives: null },
      {
        apl: 'find_pair(dynamic(["aXb=50", "a_b=5é%"]), "a_*", "*é%", "=")',
        gives: { key: 'a_b', value: '5é%', separator: '=' },
      },
      { apl: 'find_pair(dynamic([]), "*", "*")', gives: null },
    ],
  }),
];
