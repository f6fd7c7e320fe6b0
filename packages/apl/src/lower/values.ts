import { call, cast, integer, literal, nullLiteral } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import type { LoweredArgument } from '../functions/define.js';
import { clickhouseType, isDynamic } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { textIn, textJson } from './strings/known-texts.js';
import { shownJson } from './json/json-parts.js';
import { pathOf } from './json/member-paths.js';
import { shareSubexpression } from './shared-subexpressions.js';
import { parsedInstant } from './times/parsed-instant.js';
import { fitsInt64 } from '../model/int64.js';
import { HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from '../model/nanoseconds.js';

/**
 * All conversions between the representations of values (see `types.ts`). They preserve null.
 * Dynamic values are JSON text, but never the text `null`: null is SQL NULL.
 */

/** Null of a type; the cast keeps the engine from guessing. */
export const nullOf = (type: ScalarType): Expr => cast(nullLiteral, clickhouseType[type]);

/**
 * A constant in the representation of its type: datetimes and timespans are nanoseconds, dynamics
 * JSON text.
 */
export function constantOf(type: ScalarType, value: LiteralValue): LoweredArgument {
  return { type, constant: value, sql: constantSql(type, value) };
}

function constantSql(type: ScalarType, value: LiteralValue): Expr {
  if (value === null) return nullOf(type);
  if (typeof value === 'bigint') {
    if (type === 'real') return literal(Number(value));
    if (!fitsInt64(value)) return nullOf(type);
    // An untyped literal is as narrow as its value and would overflow in shifts and products.
    const wide = call('toInt64', integer(value));
    return type === 'datetime' ? instant(wide) : wide;
  }
  return literal(value);
}

/** Nanoseconds since the epoch → datetime. */
export const instant = (nanoseconds: Expr): Expr => call('fromUnixTimestamp64Nano', nanoseconds, literal('UTC'));

/** A known instant. */
export const instantAt = (nanoseconds: bigint): Expr => instant(call('toInt64', integer(nanoseconds)));

/** Datetime → nanoseconds since the epoch. */
export const nanoseconds = (datetime: Expr): Expr =>
  datetime.kind === 'call' && datetime.name === 'fromUnixTimestamp64Nano'
    ? datetime.args[0]!
    : call('toUnixTimestamp64Nano', datetime);

/** A number as Int64; null where it has a fraction or does not fit. */
export const int64OrNull = (number: Expr): Expr => call('accurateCastOrNull', number, literal('Int64'));

/**
 * Casts the result of a function to the representation of its declared type: any integer to Int64,
 * any float to Float64.
 */
export function represent(sql: Expr, type: ScalarType): Expr {
  const conversion = representations[type];
  if (conversion === undefined || (sql.kind === 'call' && sql.name === conversion)) return sql;
  return call(conversion, sql);
}
const representations: Partial<Record<ScalarType, string>> = {
  long: 'toInt64',
  timespan: 'toInt64',
  real: 'toFloat64',
};

// ---------------------------------------------------------------- to text

/**
 * The text of a value as `tostring` gives it, null staying null. Strings inside dynamics lose their
 * quotes.
 */
export function asString(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'string':
      return sql;
    case 'bool':
      return call('toString', call('toBool', sql));
    case 'long':
    case 'real':
      return call('toString', sql);
    case 'datetime':
      return datetimeText(sql);
    case 'timespan':
      return shareSubexpression(sql, timespanText);
    case 'array':
    case 'bag':
      return shownJson(sql);
    case 'dynamic': {
      const text = textIn(sql);
      if (text !== undefined) return text;
      const path = pathOf(sql);
      // One lookup in the object instead of two.
      if (path !== undefined && path.keys.length > 0)
        return call('JSONExtract', path.json, ...path.keys, literal('Nullable(String)'));
      // The content of a JSON string, the text of any other value.
      return shareSubexpression(sql, (json) =>
        call('if', call('startsWith', json, literal('"')), call('JSONExtractString', json), shownJson(json)),
      );
    }
  }
}

/** RFC 3339 with up to nine fractional digits. */
function datetimeText(sql: Expr): Expr {
  const trimmed = call('trimRight', call('trimRight', call('toString', sql), literal('0')), literal('.'));
  return call('concat', call('replaceOne', trimmed, literal(' '), literal('T')), literal('Z'));
}

/** `1h2m3.5s`, `1.5ms`, `250µs`, `0s`. */
function timespanText(ns: Expr): Expr {
  const size = call('abs', ns);
  // A decimal, because a small real would be written with an exponent.
  const fraction = (of: Expr, unit: bigint): Expr =>
    call('toString', call('divide', call('toDecimal128', of, integer(9)), integer(unit)));
  const hours = call('toString', call('intDiv', size, integer(HOUR)));
  const minutes = call('toString', call('modulo', call('intDiv', size, integer(MINUTE)), integer(60)));
  const seconds = fraction(call('modulo', size, integer(MINUTE)), SECOND);
  const below = (limit: bigint): Expr => call('less', size, integer(limit));
  const text = (...parts: readonly (Expr | string)[]): Expr =>
    call('concat', ...parts.map((part) => (typeof part === 'string' ? literal(part) : part)));
  return call(
    'concat',
    call('if', call('less', ns, integer(0)), literal('-'), literal('')),
    call(
      'multiIf',
      call('equals', ns, integer(0)),
      literal('0s'),
      below(MICROSECOND),
      text(call('toString', size), 'ns'),
      below(MILLISECOND),
      text(fraction(size, MICROSECOND), 'µs'),
      below(SECOND),
      text(fraction(size, MILLISECOND), 'ms'),
      below(MINUTE),
      text(seconds, 's'),
      below(HOUR),
      text(minutes, 'm', seconds, 's'),
      text(hours, 'h', minutes, 'm', seconds, 's'),
    ),
  );
}

/** JSON text of a value; NaN and infinities become null. Timespans are their nanoseconds. */
export function asJson(value: LoweredArgument): Expr {
  const { sql, type } = value;
  switch (type) {
    case 'dynamic':
    case 'array':
    case 'bag':
      return sql;
    case 'bool':
      return asString(value);
    case 'long':
    case 'timespan':
      return call('toString', sql);
    case 'real':
      return shareSubexpression(sql, (real) => call('if', call('isFinite', real), realJson(real), nullOf('string')));
    case 'string':
      // For a dictionary-encoded text the result would be one too, which JSON functions refuse.
      return textJson(value.constant === undefined ? cast(sql, clickhouseType.string) : sql);
    case 'datetime':
      return call('concat', literal('"'), datetimeText(sql), literal('"'));
  }
}

/**
 * Up to 10²¹ the engine writes a real without an exponent, but it cannot read JSON with integers
 * beyond 64 bits: these get one.
 */
function realJson(real: Expr): Expr {
  const text = call('toString', real);
  const size = call('abs', real);
  const isLarge = call('and', call('greaterOrEquals', size, literal(2 ** 63)), call('less', size, literal(1e21)));
  return call('if', isLarge, call('concat', text, literal('e0')), text);
}

// ---------------------------------------------------------------- to numbers and instants

/** A value as Float64: times as nanoseconds, JSON numbers from dynamics, null for text. */
export function asReal(value: LoweredArgument): Expr {
  switch (value.type) {
    case 'real':
      return value.sql;
    case 'long':
    case 'timespan':
    case 'bool':
      return typeof value.constant === 'bigint' ? literal(Number(value.constant)) : call('toFloat64', value.sql);
    case 'datetime':
      return call('toFloat64', nanoseconds(value.sql));
    case 'dynamic':
    case 'array':
    case 'bag':
      return fromJson(value.sql, 'real');
    case 'string':
      return nullOf('real');
  }
}

// ---------------------------------------------------------------- JSON text

/**
 * The value in a JSON text as `type`, null if the JSON holds another type. Numbers convert to each
 * other; integers that do not fit become null. `string` gives the text of any value.
 */
function fromJson(json: Expr, type: ScalarType): Expr {
  switch (type) {
    case 'dynamic':
      return json;
    case 'string':
      return asString({ sql: json, type: 'dynamic' });
    case 'array':
      return shareSubexpression(json, (text) =>
        call('if', call('startsWith', text, literal('[')), text, nullOf('array')),
      );
    case 'bag':
      return shareSubexpression(json, (text) =>
        call('if', call('startsWith', text, literal('{')), text, nullOf('bag')),
      );
    case 'long':
    case 'timespan':
      return numberIn(json, 'Nullable(Int64)');
    case 'real':
      return numberIn(json, 'Nullable(Float64)');
    case 'bool':
      return call(
        'multiIf',
        call('equals', json, literal('true')),
        literal(true),
        call('equals', json, literal('false')),
        literal(false),
        nullOf('bool'),
      );
    case 'datetime':
      return shareSubexpression(json, (text) =>
        call(
          'if',
          call('startsWith', text, literal('"')),
          parsedInstant(call('JSONExtractString', text)),
          instant(numberIn(text, 'Nullable(Int64)')),
        ),
      );
  }
}

/** The engine also reads numbers out of strings and booleans, so the first character decides. */
const numberIn = (json: Expr, type: string): Expr =>
  shareSubexpression(json, (text) =>
    call(
      'if',
      call('match', text, literal('^[-0-9]')),
      call('JSONExtract', text, literal(type)),
      cast(nullLiteral, type),
    ),
  );

// ---------------------------------------------------------------- between any two types

/**
 * Implicit conversion of a value to a type, as the binder inserts it; undefined if the language has
 * none. Integers widen to real, dynamics give the wanted type or null, and anything becomes
 * dynamic.
 */
export function convert(value: LoweredArgument, to: ScalarType): LoweredArgument | undefined {
  if (value.type === to) return value;
  if (value.constant === null) return constantOf(to, null);
  if (isDynamic(to) && isDynamic(value.type)) return { sql: value.sql, type: to };
  if (isDynamic(value.type)) return { sql: fromJson(value.sql, to), type: to };
  if (to === 'dynamic') return { sql: asJson(value), type: to };
  if (to === 'real' && value.type === 'long')
    return typeof value.constant === 'bigint'
      ? constantOf('real', Number(value.constant))
      : { sql: call('toFloat64', value.sql), type: to };
  return undefined;
}
