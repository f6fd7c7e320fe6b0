import { call, literal } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { once } from '../lower/once.js';
import { nullOf } from '../lower/values.js';
import type { Scalar } from '../plan/scalar.js';
import { applied } from './calls.js';
import type { QueryContext } from './context.js';

/**
 * A value to look for in a list or in another table. The engine compares bits there, so every zero becomes +0, and NaN, which equals nothing,
 * becomes null.
 */
export const findable = (scalar: Scalar, query: QueryContext): Scalar =>
  scalar.type === 'real' ? applied('findable', equalBits, [scalar], query) : scalar;

const equalBits: Overload = {
  params: [param('value', 'real')],
  returns: 'real',
  lower: ([value]) =>
    once(call('plus', value!.sql, literal(0)), (real) => call('if', call('isNaN', real), nullOf('real'), real)),
};
