import { call, type Expr, literal, type LiteralValue } from '@millrace/sql';
import { defineOverload, param } from '../functions/define.js';
import type { LoweredArgument } from '../functions/define.js';
import { callOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { ScalarType } from '../model/types.js';
import { oneZero } from './equality.js';
import { constantOf } from './values.js';
import { packArray } from './json/members.js';

/**
 * Combines several values into one key for a lookup in another query; null is an ordinary value.
 * The keys of both sides must have the same types, and equal dynamic values must have the same text
 * (`asSameJson`).
 */
export const nullSafeKey = (args: readonly Scalar[]): Scalar => callOf('key', keyOfValues, args);

const keyOfValues = defineOverload({
  params: [],
  rest: param('value', 'any'),
  returns: 'array',
  lower(args) {
    const [only, ...others] = args;
    if (only?.type === 'string' && others.length === 0) return textOrNull(only);
    // A JSON text is found a sixth faster than a tuple. But a time in a tuple lets the engine skip
    // data, and JSON distinguishes -0 from 0 and has no NaN.
    return args.some(({ type }) => type === 'datetime' || type === 'real')
      ? call('tuple', ...args.flatMap(parts))
      : packArray(args);
  },
});

/** Whether the value is null, and a value that never is: the engine does not find nulls. */
function parts(value: LoweredArgument): readonly Expr[] {
  const zero = zeros[value.type];
  if (zero === undefined) return [textOrNull(value)];
  const { type, sql } = value;
  // Also for a constant -0, because in the other query it is a column.
  return [call('isNull', sql), oneZero({ type, sql: call('ifNull', sql, constantOf(type, zero).sql) })];
}

/** A text that begins with `=`, or an empty one for null. Dynamic values are JSON text. */
const textOrNull = ({ sql }: LoweredArgument): Expr => call('ifNull', call('concat', literal('='), sql), literal(''));

/** Placeholders of null, by type. Values of all other types are compared as text. */
const zeros: Partial<Record<ScalarType, LiteralValue>> = { bool: false, long: 0n, real: 0, datetime: 0n, timespan: 0n };
