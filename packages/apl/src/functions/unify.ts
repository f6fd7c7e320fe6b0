import type { Expr } from '@millrace/sql';
import { convert } from '../lower/values.js';
import type { ScalarType } from '../types.js';
import type { Lowered } from './define.js';

/**
 * The common type of values of which a call returns one: their own if they agree, real for numbers, dynamic otherwise. Constant
 * nulls fit any type.
 */
export function commonTypeOf(types: readonly ScalarType[], nulls: readonly boolean[]): ScalarType {
  const present = types.filter((_, i) => nulls[i] !== true);
  const [first = 'dynamic', ...rest] = present;
  if (rest.every((type) => type === first)) return first;
  return present.every((type) => type === 'long' || type === 'real') ? 'real' : 'dynamic';
}

/** The values converted to the call's type. It was fixed when the call was bound, because constant folding may later turn more values into nulls. */
export const unified = (values: readonly Lowered[], type: ScalarType): readonly Expr[] =>
  values.map((value) => {
    const converted = convert(value, type);
    if (converted === undefined) throw new RangeError(`no conversion from ${value.type} to ${type}`);
    return converted.sql;
  });
