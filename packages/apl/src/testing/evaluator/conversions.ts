import { parseTimestampText } from '@millrace/timestamps';
import type { Scalar } from './scalar.js';
import { asDynamic, isNumber, textOf, truncate, wrap } from './values.js';
import type { Type, Value } from './values.js';

/** Whether a value of one type is accepted for another. */
export const converts = (from: Type, to: Type): boolean =>
  from === to ||
  from === 'mixed' ||
  from === 'dynamic' ||
  to === 'dynamic' ||
  (from === 'long' && to === 'real') ||
  (from === 'real' && to === 'long');

/**
 * A scalar as another type: integers widen, dynamic values give their content if it has that type,
 * anything becomes dynamic.
 */
export function convert(scalar: Scalar, to: Type): Scalar {
  if (scalar.type === to) return scalar;
  if (scalar.isNull === true) return { type: to, at: () => null, isNull: true };
  return { type: to, at: (rows, i) => conversion(scalar.at(rows, i), scalar.type, to) };
}

/** A dynamic value or a string, compared with a value of another type: strings are parsed. */
export function toComparable(scalar: Scalar, to: Type): Scalar {
  const other = convert(scalar.type === 'string' ? { ...scalar, type: 'dynamic' } : scalar, to);
  if (scalar.isNull === true || !['real', 'bool', 'timespan'].includes(to)) return other;
  return {
    type: to,
    at: (rows, i) => {
      const value = scalar.at(rows, i);
      return typeof value === 'string' ? saidAs(value, to) : other.at(rows, i);
    },
  };
}

function saidAs(text: string, to: Type): Value {
  if (to === 'real') return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
  if (to !== 'bool') return null;
  return /^(?:1|t|T|TRUE|true|True)$/.test(text) ? true : /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : null;
}

function conversion(value: Value, from: Type, to: Type): Value {
  if (value === null || (from === 'mixed' && to === 'string' && typeof value !== 'string')) return null;
  switch (to) {
    case 'mixed':
    case 'dynamic':
      return asDynamic(value, from);
    case 'string':
      return textOf(value, from);
    case 'real':
      return isNumber(value) ? Number(value) : null;
    case 'long':
    case 'timespan':
      return typeof value === 'bigint'
        ? value === wrap(value)
          ? value
          : null
        : typeof value === 'number'
          ? truncate(value)
          : null;
    case 'bool':
      return typeof value === 'boolean' ? value : null;
    case 'datetime':
      return typeof value === 'string' ? instantOf(value) : typeof value === 'bigint' ? value : null;
  }
}

/** RFC 3339 as nanoseconds since the epoch. */
export function instantOf(text: string): bigint | null {
  const time = parseTimestampText(text);
  return time === undefined || BigInt.asIntN(64, time) !== time ? null : time;
}

/**
 * The common type of values when one of them is chosen: their type if they agree, real for numbers,
 * dynamic otherwise.
 */
export function common(scalars: readonly Scalar[]): Type {
  const types = new Set(scalars.filter((scalar) => scalar.isNull !== true).map((scalar) => scalar.type));
  const [first = 'dynamic', ...rest] = types;
  if (first === 'mixed') return 'dynamic';
  if (rest.length === 0) return first;
  return [...types].every((type) => type === 'long' || type === 'real') ? 'real' : 'dynamic';
}
