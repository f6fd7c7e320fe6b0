import { call, integer, literal } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { orFalse } from '../../lower/equality.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asReal, int64OrNull, nanoseconds, nullOf } from '../../lower/values.js';
import type { ScalarType } from '../../model/types.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { clamp } from '../string/position.js';
import { fromJson, holdsBool } from '../json-text.js';
import { fitsInt64 } from '../../model/int64.js';

/** A real without its fraction as an integer, null if that does not fit 64 bits. */
export const truncatedReal = (real: Expr): Expr => int64OrNull(call('trunc', real));

/**
 * An integer from any type: reals lose their fraction, times are nanoseconds, text must be decimal
 * digits with a sign, or hexadecimal ones after 0x.
 */
function toLong(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'long':
    case 'timespan':
      return sql;
    case 'bool':
      return call('toInt64', sql);
    case 'real':
      return truncatedReal(sql);
    case 'datetime':
      return nanoseconds(sql);
    case 'string':
      return textToLong(sql);
    case 'dynamic':
    case 'array':
    case 'bag':
      return fromJson(sql, {
        text: textToLong,
        bool: (truth) => call('toInt64', truth),
        other: wholeNumber,
      });
  }
}

/** Digits are tried first: few texts are hexadecimal. */
const textToLong = (sql: Expr): Expr =>
  shareSubexpression(sql, (text) => call('coalesce', call('toInt64OrNull', text), hexToLong(text)));

const hexToLong = (text: Expr): Expr =>
  call(
    'if',
    call('match', text, literal('^0[xX][0-9a-fA-F]{1,16}$')),
    call('reinterpretAsInt64', call('reverse', call('unhex', call('substring', text, integer(3))))),
    nullOf('long'),
  );

/**
 * A JSON number as an integer. One without fraction and exponent is read as it stands, because a
 * real would lose digits.
 */
export const wholeNumber = (json: Expr): Expr =>
  call('coalesce', call('toInt64OrNull', json), truncatedReal(call('toFloat64OrNull', json)));

/** A real from any type; times are nanoseconds. */
function toReal(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'real':
    case 'long':
    case 'timespan':
    case 'bool':
    case 'datetime':
      return asReal(value);
    case 'string':
      return call('toFloat64OrNull', sql);
    case 'dynamic':
    case 'array':
    case 'bag':
      return fromJson(sql, {
        text: (content) => call('toFloat64OrNull', content),
        bool: (truth) => call('toFloat64', truth),
        other: (json) => call('toFloat64OrNull', json),
      });
  }
}

export const trueWords = ['1', 't', 'T', 'TRUE', 'true', 'True'];
export const falseWords = ['0', 'f', 'F', 'FALSE', 'false', 'False'];
const among = (text: Expr, words: readonly string[]): Expr =>
  call('in', text, call('tuple', ...words.map((word) => literal(word))));

const wordToBool = (text: Expr): Expr =>
  call('multiIf', among(text, trueWords), literal(true), among(text, falseWords), literal(false), nullOf('bool'));

/**
 * Converts any type to a boolean: numbers are true unless zero, times unless zero nanoseconds, and
 * strings are parsed: a few words mean true or false.
 */
function toBool(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'bool':
      return sql;
    case 'long':
    case 'real':
    case 'timespan':
      return call('toBool', call('notEquals', sql, integer(0)));
    case 'datetime':
      return call('toBool', call('notEquals', nanoseconds(sql), integer(0)));
    case 'string':
      return wordToBool(sql);
    case 'dynamic':
    case 'array':
    case 'bag':
      return fromJson(sql, {
        text: wordToBool,
        bool: (truth) => call('toBool', truth),
        other: (json) => call('toBool', call('notEquals', call('toFloat64OrNull', json), integer(0))),
      });
  }
}

const realIn = (text: LiteralValue): number | null | undefined => {
  if (typeof text !== 'string') return null;
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  // The engine also parses names.
  return /^[+-]?(?:inf|infinity|nan)$/i.test(text) ? undefined : null;
};

const boolIn = (text: LiteralValue): boolean | null =>
  typeof text !== 'string' ? null : trueWords.includes(text) ? true : falseWords.includes(text) ? false : null;

/** Maximum number of hexadecimal digits. */
const MAX_HEX_LENGTH = 1024;

const anyValue = (lower: (value: LoweredArgument) => Expr, returns: ScalarType): Overload =>
  defineOverload({
    params: [param('value', 'any')],
    returns,
    lower: ([value]) => lower(value),
  });

/** A conversion of texts, whose constants are read while compiling. */
const ofText = (
  lower: (value: LoweredArgument) => Expr,
  returns: ScalarType,
  fold: (text: LiteralValue) => LiteralValue | undefined,
): Overload =>
  defineOverload({
    params: [param('value', 'string')],
    returns,
    lower: ([value]) => lower(value),
    fold: ([text = null]) => fold(text),
  });

/** A type whose constants become integers while compiling. */
const toInteger = (type: ScalarType, fold: (value: LiteralValue) => LiteralValue | undefined): Overload =>
  defineOverload({
    params: [param('value', type)],
    returns: 'long',
    lower: ([value]) => toLong(value),
    fold: ([value = null]) => (value === null ? null : fold(value)),
  });

const integerIn = (text: LiteralValue): bigint | null => {
  if (typeof text === 'string' && /^0x[0-9a-f]{1,16}$/i.test(text)) return BigInt.asIntN(64, BigInt(text));
  if (typeof text !== 'string' || !/^[+-]?0*[0-9]{1,19}$/.test(text)) return null;
  const value = BigInt(text.replace('+', ''));
  return fitsInt64(value) ? value : null;
};
const truncatedValue = (value: LiteralValue): bigint | null | undefined => {
  if (typeof value !== 'number') return undefined;
  return Number.isFinite(value) && fitsInt64(BigInt(Math.trunc(value))) ? BigInt(Math.trunc(value)) : null;
};
const same = (value: LiteralValue): LiteralValue => value;

export const functions: readonly FunctionRecord[] = [
  {
    name: 'toint',
    aliases: ['tolong'],
    summary:
      'The value as an integer: reals lose their fraction, times become nanoseconds, text must be decimal digits, or hexadecimal ones after 0x; null otherwise.',
    overloads: [
      toInteger('long', same),
      toInteger('timespan', same),
      toInteger('datetime', same),
      toInteger('real', truncatedValue),
      toInteger('string', integerIn),
      anyValue(toLong, 'long'),
    ],
    examples: [
      { apl: 'toint("-42")', gives: -42 },
      { apl: 'toint(-5.9)', gives: -5 },
      { apl: 'toint("4.2")', gives: null },
      { apl: 'toint("00000000000000000000005")', gives: 5 },
      { apl: 'toint("0x1F")', gives: 31 },
      { apl: 'toint(strcat("0X", "abc"))', gives: 2748 },
      { apl: 'toint(dynamic(["0xffffffffffffffff"])[0])', gives: -1 },
      { apl: 'toint("0x")', gives: null },
      { apl: 'toint(1.5s)', gives: 1_500_000_000 },
      { apl: 'toint(dynamic({"n": "17"}).n)', gives: 17 },
      { apl: 'toint(1e300)', gives: null },
      { apl: 'tostring(toint(todynamic("[9007199254740993]")[0]))', gives: '9007199254740993' },
      { apl: 'toint(5)', gives: 5 },
      { apl: 'toint(datetime(2024-01-01))', gives: 1704067200000000000n },
    ],
    differs: {
      axiom: 'Hexadecimal texts such as 0x1f are null there.',
      kusto: '64 bits; times are nanoseconds, not ticks of 100. A text with blanks around its digits is null.',
    },
  },
  {
    name: 'todouble',
    aliases: ['toreal', 'todecimal'],
    summary: 'The value as a floating-point number: times become nanoseconds, true becomes 1; null otherwise.',
    overloads: [ofText(toReal, 'real', realIn), anyValue(toReal, 'real')],
    examples: [
      { apl: 'todouble("1.5e3")', gives: 1500 },
      { apl: 'todouble(true)', gives: 1 },
      { apl: 'todouble("abc")', gives: null },
      { apl: 'todouble(dynamic(["2.25"])[0])', gives: 2.25 },
    ],
  },
  {
    name: 'tobool',
    aliases: ['toboolean'],
    summary:
      'The value as true or false: numbers and times are true unless zero; text must be 1, t, true, 0, f or false; null otherwise.',
    overloads: [ofText(toBool, 'bool', boolIn), anyValue(toBool, 'bool')],
    examples: [
      { apl: 'tobool("True")', gives: true },
      { apl: 'tobool(0.0)', gives: false },
      { apl: 'tobool("yes")', gives: null },
      { apl: 'tobool(dynamic([false])[0])', gives: false },
      { apl: 'tobool(datetime(1970-01-01))', gives: false },
    ],
  },
  defineFunction({
    name: 'tohex',
    summary:
      'The hexadecimal digits of the value as an integer (see toint), with leading zeros up to the given length; negative numbers in two’s complement.',
    params: [param('value', 'any'), param('minLength', 'long', { optional: true })],
    returns: 'string',
    lower: ([value, length]) => {
      const digits = call('lower', call('trimLeft', call('hex', toLong(value)), literal('0')));
      const text = call('if', call('equals', digits, literal('')), literal('0'), digits);
      if (length === undefined) return text;
      return shareSubexpression(text, (hex) => {
        const size = call('toInt64', call('length', hex));
        return call(
          'leftPad',
          hex,
          shareSubexpression(clamp(length, 0, MAX_HEX_LENGTH), (wanted) =>
            call('if', call('greater', size, wanted), size, wanted),
          ),
          literal('0'),
        );
      });
    },
    examples: [
      { apl: 'tohex(255)', gives: 'ff' },
      { apl: 'tohex(10, 4)', gives: '000a' },
      { apl: 'tohex(0)', gives: '0' },
      { apl: 'tohex(-1)', gives: 'ffffffffffffffff' },
      { apl: 'tohex(4096, -3)', gives: '1000' },
      { apl: 'tohex("255", 4)', gives: '00ff' },
      { apl: 'tohex("x")', gives: null },
    ],
  }),
  defineFunction({
    name: 'isbool',
    summary: 'Whether the value is true or false.',
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'bool',
    lower: ([value]) => {
      if (value.type === 'bool') return call('isNotNull', value.sql);
      return value.type === 'dynamic' ? orFalse(holdsBool(value.sql)) : literal(false);
    },
    examples: [
      { apl: 'isbool(1 > 2)', gives: true },
      { apl: 'isbool("true")', gives: false },
      { apl: 'isbool(bool(null))', gives: false },
      { apl: 'isbool(dynamic([true])[0])', gives: true },
    ],
  }),
];
