import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../lower/equality.js';
import { asString } from '../lower/values.js';
import { notNegative } from './bins.js';
import { defineFunction, param } from './define.js';
import type { Example, FunctionRecord } from './define.js';

/** A cryptographic hash of the value's text in hexadecimal digits. */
const digest = (
  name: string,
  title: string,
  digits: number,
  engine: string,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary: `The ${title} hash of the value’s text, in ${digits} hexadecimal digits.`,
    params: [param('source', 'any')],
    returns: 'string',
    lower: ([value]) => call('lower', call('hex', call(engine, asString(value)))),
    examples,
  });

const short = (hash: Expr): Expr => call('reinterpretAsInt64', call('xxHash64', hash));

/** Bernstein's hash in 64 bits: 33 times the hash so far, plus the next byte. */
function djb2(text: Expr): Expr {
  const byte = call('reinterpretAsUInt8', call('substring', text, column('at'), integer(1)));
  const next = call('plus', call('multiply', column('hash'), call('toUInt64', integer(33))), byte);
  const places = call('range', integer(1), call('plus', call('length', text), integer(1)));
  return call('arrayFold', lambda(['hash', 'at'], next), places, call('toUInt64', integer(5381)));
}

/** A non-cryptographic hash. */
const hashFunction = (
  name: string,
  title: string,
  lower: (text: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary: `The ${title} hash of the value’s text.`,
    params: [param('source', 'any')],
    returns: 'long',
    lower: ([value]) => lower(asString(value)),
    examples,
  });

/** Separates text and salt, so that moving a character from one to the other changes the hash. */
const SEPARATOR = literal('\0');

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'hash',
    summary:
      'A 64-bit hash of the value’s text; with a number as the second argument its remainder, with a text salted with it. Not for secrets, and it may change between versions.',
    params: [param('source', 'any', { asText: true }), param('modulus', 'any', { asText: true, optional: true })],
    returns: 'long',
    lower: ([value, more]) => {
      if (more === undefined) return short(asString(value));
      if (more.type !== 'long') return short(call('concat', asString(value), SEPARATOR, asString(more)));
      return call('positiveModuloOrNull', short(asString(value)), notNegative(more.sql));
    },
    doubt: ([, more]) =>
      more?.type === 'long'
        ? {
            argument: 1,
            message: 'a number is the modulus, as in Kusto; in Axiom it is a salt, which is given as a text here',
          }
        : undefined,
    examples: [
      { apl: 'tostring(hash("a"))', gives: '-3292477735350538661' },
      { apl: 'hash(1) == hash("1")', gives: true },
      { apl: 'hash("World", 100)', gives: 51 },
      { apl: 'hash("a", -5)', gives: null },
      { apl: 'hash("a", "1") == hash("a")', gives: false },
      { apl: 'hash("a", "1") == hash("a", "2")', gives: false },
      { apl: 'hash(string(null))', gives: null },
    ],
    differs: {
      axiom:
        'xxHash64; the documentation does not say which hash the function uses. A number as the second argument is a modulus, not a salt; a warning says so.',
      kusto: 'A text as the second argument is a salt.',
    },
  }),
  defineFunction({
    name: 'hash_many',
    summary: 'A 64-bit hash of the texts of all values together.',
    params: [param('value', 'any', { asText: true })],
    rest: param('value', 'any', { asText: true }),
    returns: 'long',
    handlesNulls: true,
    lower: (values) => {
      const texts = values.flatMap((value) => [call('ifNull', asString(value), literal('')), SEPARATOR]);
      return short(call('concat', literal(''), ...texts));
    },
    examples: [
      { apl: 'hash_many("a", 1) == hash_many("a", 1)', gives: true },
      { apl: 'hash_many("a", "b") == hash_many("b", "a")', gives: false },
      { apl: 'hash_many("ab", "c") == hash_many("a", "bc")', gives: false },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'Another hash.' },
  }),
  digest('hash_md5', 'MD5', 32, 'MD5', [
    { apl: 'hash_md5("a")', gives: '0cc175b9c0f1b6a831c399e269772661' },
    { apl: 'hash_md5("") ', gives: 'd41d8cd98f00b204e9800998ecf8427e' },
    { apl: 'hash_md5(1) == hash_md5("1")', gives: true },
  ]),
  digest('hash_sha1', 'SHA-1', 40, 'SHA1', [
    { apl: 'hash_sha1("a")', gives: '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8' },
    { apl: 'hash_sha1(string(null))', gives: null },
  ]),
  digest('hash_sha256', 'SHA-256', 64, 'SHA256', [
    { apl: 'hash_sha256("a")', gives: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' },
    { apl: 'strlen(hash_sha256(1.5))', gives: 64 },
  ]),
  digest('hash_sha512', 'SHA-512', 128, 'SHA512', [
    {
      apl: 'hash_sha512("")',
      gives:
        'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce' +
        '47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
    },
    { apl: 'strlen(hash_sha512(dynamic({"a": 1})))', gives: 128 },
  ]),
  {
    ...hashFunction('__hash_xxh64', 'xxHash64', short, [
      { apl: '__hash_xxh64("a") == hash("a")', gives: true },
      { apl: 'hash_xxhash64("é") == __hash_xxh64("é")', gives: true },
    ]),
    // Kusto's name for it.
    aliases: ['hash_xxhash64'],
  },
  hashFunction('__hash_crc32', 'CRC-32', (text) => call('CRC32', text), [
    { apl: '__hash_crc32("a")', gives: 3904355907 },
    { apl: '__hash_crc32("")', gives: 0 },
  ]),
  hashFunction(
    '__hash_djb2',
    'djb2',
    (text) => whereAll([text], call('reinterpretAsInt64', djb2(call('ifNull', text, literal(''))))),
    [
      { apl: '__hash_djb2("")', gives: 5381 },
      { apl: '__hash_djb2("a")', gives: 177670 },
      { apl: '__hash_djb2("é")', gives: 5866513 },
    ],
  ),
];
