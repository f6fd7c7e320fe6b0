import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { orFalse } from '../lower/equality.js';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { asString } from '../lower/values.js';
import { isDynamic } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { defineOverload, defineFunction, param } from './define.js';
import type { Example, FunctionRecord, LoweredArgument } from './define.js';
import { holdsArray, holdsBool, holdsObject, holdsText } from './json-text.js';

/** The bytes of a value. */
function sizeOf({ sql, type }: LoweredArgument): Expr {
  const isText = type === 'string' || isDynamic(type);
  const size = isText ? call('toInt64', call('length', sql)) : integer(type === 'bool' ? 1 : 8);
  return call('if', call('isNull', sql), call('toInt64', integer(0)), call('assumeNotNull', size));
}

/** Type names as returned by `gettype`; dynamics are named after their content. */
const typeNames: Readonly<Record<Exclude<ScalarType, 'dynamic' | 'array' | 'bag'>, string>> = {
  bool: 'bool',
  long: 'long',
  real: 'real',
  string: 'string',
  datetime: 'datetime',
  timespan: 'timespan',
};

const holdsReal = (json: Expr): Expr => call('match', json, literal('^-?[0-9]+[.eE]'));

function typeName({ sql, type }: LoweredArgument): Expr {
  if (type !== 'dynamic' && type !== 'array' && type !== 'bag')
    return call('if', call('isNull', sql), literal('null'), literal(typeNames[type]));
  return shareSubexpression(sql, (json) =>
    call(
      'multiIf',
      call('isNull', json),
      literal('null'),
      holdsText(json),
      literal('string'),
      holdsArray(json),
      literal('array'),
      holdsObject(json),
      literal('dictionary'),
      holdsBool(json),
      literal('bool'),
      holdsReal(json),
      literal('real'),
      literal('long'),
    ),
  );
}

/** A test of a value's type, false for null; for dynamics it tests their content. */
const typeTest = (
  name: string,
  summary: string,
  type: ScalarType | undefined,
  holds: (json: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) => {
      if (isDynamic(value.type)) return orFalse(shareSubexpression(value.sql, holds));
      return value.type === type ? call('isNotNull', value.sql) : literal(false);
    },
    examples,
  });

/**
 * Whether the digits end in the right Luhn check digit. Every second digit from the right counts
 * twice, less 9 if that is above 9.
 */
function passesLuhn(digits: Expr): Expr {
  const digit = column('digit');
  const twice = call('multiply', digit, integer(2));
  const weighed = call(
    'if',
    call('equals', call('modulo', column('place'), integer(2)), integer(1)),
    digit,
    call('if', call('greater', digit, integer(4)), call('minus', twice, integer(9)), twice),
  );
  const values = call(
    'arrayMap',
    lambda(['char'], call('toInt64', call('toUInt8OrZero', column('char')))),
    call('ngrams', call('reverse', digits), integer(1)),
  );
  const sum = call(
    'arraySum',
    call('arrayMap', lambda(['digit', 'place'], weighed), values, call('arrayEnumerate', values)),
  );
  return call('equals', call('modulo', sum, integer(10)), integer(0));
}

/**
 * Lengths and first digits of the usual cards: Visa, Mastercard, Discover, American Express, Diners
 * Club, JCB, UnionPay.
 */
const CARD = [
  '4[0-9]{12}(?:[0-9]{3}){0,2}',
  '(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}',
  '6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}',
  '3[47][0-9]{13}',
  '3(?:0[0-5]|[68][0-9])[0-9]{11}',
  '35[0-9]{14}',
  '62[0-9]{14,17}',
].join('|');

/** A test of a text or number by its digits. */
const digitTest = (
  name: string,
  summary: string,
  digitsOf: (text: Expr) => Expr,
  form: string,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) =>
      shareSubexpression(digitsOf(asString(value)), (digits) =>
        call('and', call('match', digits, literal(`^(?:${form})$`)), passesLuhn(digits)),
      ),
    examples,
  });

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'gettype',
    summary: 'The name of the value’s type: string, long, real, bool, datetime, timespan, array, dictionary or null.',
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'string',
    lower: ([value]) => typeName(value),
    examples: [
      { apl: 'gettype("a")', gives: 'string' },
      { apl: 'gettype(1)', gives: 'long' },
      { apl: 'gettype(1.5)', gives: 'real' },
      { apl: 'gettype(true)', gives: 'bool' },
      { apl: 'gettype(1s)', gives: 'timespan' },
      { apl: 'gettype(datetime(2024-01-01))', gives: 'datetime' },
      { apl: 'gettype(dynamic({"a": [1]}))', gives: 'dictionary' },
      { apl: 'gettype(dynamic({"a": [1]}).a)', gives: 'array' },
      { apl: 'gettype(dynamic([1.5])[0])', gives: 'real' },
      { apl: 'gettype(long(null))', gives: 'null' },
    ],
  }),
  typeTest('isstring', 'Whether the value is a text.', 'string', holdsText, [
    { apl: 'isstring("x")', gives: true },
    { apl: 'isstring(1)', gives: false },
    { apl: 'isstring(dynamic(["x"])[0])', gives: true },
    { apl: 'isstring(string(null))', gives: false },
  ]),
  typeTest('isreal', 'Whether the value is a floating-point number.', 'real', holdsReal, [
    { apl: 'isreal(123.5)', gives: true },
    { apl: 'isreal(4)', gives: false },
    { apl: 'isreal("1.5")', gives: false },
    { apl: 'isreal(dynamic([2.5])[0])', gives: true },
  ]),
  typeTest('ismap', 'Whether the value is an object of keys and values.', undefined, holdsObject, [
    { apl: 'ismap(dynamic({"a": 1}))', gives: true },
    { apl: 'ismap(dynamic([1]))', gives: false },
    { apl: 'ismap("{}")', gives: false },
    { apl: 'ismap(dynamic(null))', gives: false },
  ]),
  {
    name: 'isutf8',
    summary: 'Whether the text is valid UTF-8.',
    overloads: [
      defineOverload({
        params: [param('text', 'string')],
        returns: 'bool',
        lower: ([text]) => call('isValidUTF8', text.sql),
      }),
    ],
    examples: [
      { apl: 'isutf8("aé😀")', gives: true },
      { apl: 'isutf8("")', gives: true },
    ],
  },
  digitTest(
    'iscc',
    'Whether the text is the number of a payment card, by its first digits, length and check digit; it may contain spaces and dashes.',
    (text) => call('replaceRegexpAll', text, literal('[ -]'), literal('')),
    CARD,
    [
      { apl: 'iscc("4111 1111-1111 1111")', gives: true },
      { apl: 'iscc("4111111111111112")', gives: false },
      { apl: 'iscc(378282246310005)', gives: true },
      { apl: 'iscc("")', gives: false },
    ],
  ),
  digitTest(
    'isimei',
    'Whether the text is an IMEI: 15 digits, the last one a check digit.',
    (text) => text,
    '[0-9]{15}',
    [
      { apl: 'isimei("490154203237518")', gives: true },
      { apl: 'isimei("490154203237517")', gives: false },
      { apl: 'isimei("49015420323751")', gives: false },
      { apl: 'isimei("é")', gives: false },
    ],
  ),
  {
    name: 'estimate_data_size',
    summary:
      'The bytes of values: of texts and dynamic values their length, 8 of numbers and times, 1 of booleans, 0 of null; estimate_data_size(*) takes all columns.',
    everyColumn: 'values',
    handlesNulls: true,
    overloads: [
      defineOverload({
        params: [],
        rest: param('value', 'any'),
        returns: 'long',
        lower: (values) =>
          values.map(sizeOf).reduce((sum, size) => call('plus', sum, size), call('toInt64', integer(0))),
      }),
    ],
    examples: [
      { apl: 'estimate_data_size(1, "1234567890")', gives: 18 },
      { apl: 'estimate_data_size("é", true, dynamic([1]), 1h)', gives: 14 },
      { apl: 'estimate_data_size(string(null), long(null))', gives: 0 },
      { apl: 'toscalar(print a = 1, b = "abc" | project n = estimate_data_size(*))', gives: 11 },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
];
