import { functionNamed } from '../../functions/index.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Span, TypeName } from '../../syntax/ast.js';
import { bindCall } from '../calls/calls.js';
import type { QueryContext } from '../context.js';
import { textOf } from './convert-text.js';

const conversions: Readonly<Record<Exclude<TypeName, 'string'>, string>> = {
  bool: 'tobool',
  long: 'tolong',
  real: 'todouble',
  datetime: 'todatetime',
  timespan: 'totimespan',
  dynamic: 'todynamic',
};

/**
 * A value as a declared type (`name:long`, `to typeof(long)`): the result of the type's conversion
 * function, null if it has none.
 */
export function toType(scalar: Scalar, type: TypeName, span: Span, query: QueryContext): Scalar {
  if (scalar.type === type) return scalar;
  if (type === 'string') return textOf([scalar]);
  const name = conversions[type];
  const record = functionNamed(name);
  if (record === undefined) throw new RangeError(`no function ${name}`);
  return bindCall({ name, overloads: record.overloads, args: [{ value: [scalar], span }], span }, query);
}
