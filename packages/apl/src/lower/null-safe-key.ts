import { call, type Expr, literal, type LiteralValue } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Lowered, Overload } from '../functions/define.js';
import { callOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { ScalarType } from '../types.js';
import { oneZero } from './equality.js';
import { constantOf, packArray } from './values.js';

/** Values as one key to look for in another query, null being a value like the others. Both sides have to be made of expressions of the same types. */
export const nullSafeKey = (args: readonly Scalar[]): Scalar => callOf('key', keyOfValues, args);

const keyOfValues: Overload = {
  params: [],
  rest: param('value', 'any'),
  returns: 'array',
  lower(args) {
    const [only, ...others] = args;
    if (only?.type === 'string' && others.length === 0) return textOrNull(only);
    // JSON text is found a sixth sooner than a tuple, but by a time in a tuple the engine chooses what to read, and JSON tells -0 from 0 and has no NaN.
    return args.some(({ type }) => type === 'datetime' || type === 'real')
      ? call('tuple', ...args.flatMap(parts))
      : packArray(args);
  },
};

/** The engine never finds a null. */
function parts(value: Lowered): readonly Expr[] {
  const zero = zeros[value.type];
  if (zero === undefined) return [textOrNull(value)];
  const { type, sql } = value;
  // A constant -0 as well: in the other query it is a column.
  return [call('isNull', sql), oneZero({ type, sql: call('ifNull', sql, constantOf(type, zero).sql) })];
}

/** A text that begins with `=`, or an empty one for null. Dynamic values are JSON text. */
const textOrNull = ({ sql }: Lowered): Expr => call('ifNull', call('concat', literal('='), sql), literal(''));

/** What stands in place of null, by type. Values of all other types are compared as text. */
const zeros: Partial<Record<ScalarType, LiteralValue>> = { bool: false, long: 0n, real: 0, datetime: 0n, timespan: 0n };
