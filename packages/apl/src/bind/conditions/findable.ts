import { call, literal } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asSameJson } from '../../lower/json/same-json.js';
import { nullOf } from '../../lower/values.js';
import type { Scalar } from '../../plan/scalar.js';
import { apply } from '../calls/calls.js';
import type { QueryContext } from '../context.js';

/**
 * Normalizes a value for lookups in a list or table. The engine compares bits there, so every zero
 * becomes +0, and NaN, which equals nothing, becomes null; equal dynamic values get the same text.
 */
export function toLookupKey(scalar: Scalar, query: QueryContext): Scalar {
  if (scalar.type === 'real') return apply('findable', findableReal, [scalar], query);
  return asSameJson(scalar);
}

const findableReal = defineOverload({
  params: [param('value', 'real')],
  returns: 'real',
  lower: ([value]) =>
    shareSubexpression(call('plus', value.sql, literal(0)), (real) =>
      call('if', call('isNaN', real), nullOf('real'), real),
    ),
});
