import type { Expr } from '@millrace/sql';
import { convert } from '../lower/values.js';
import type { ScalarType } from '../model/types.js';
import type { LoweredArgument } from './define.js';
import { isNumeric } from '../model/types.js';

/**
 * The one type that values of these types share: themselves if equal, real for numbers, dynamic
 * otherwise.
 */
export function commonType(types: readonly ScalarType[]): ScalarType {
  const [first = 'dynamic', ...rest] = types;
  if (rest.every((type) => type === first)) return first;
  return types.every(isNumeric) ? 'real' : 'dynamic';
}

/** The common type of values when a call returns one of them; constant nulls fit any type. */
export const commonTypeOf = (types: readonly ScalarType[], nulls: readonly boolean[]): ScalarType =>
  commonType(types.filter((_, i) => nulls[i] !== true));

/**
 * The values converted to the call's type. It was fixed when the call was bound, because constant
 * folding may later turn more values into nulls.
 */
export const unifyTypes = (values: readonly LoweredArgument[], type: ScalarType): readonly Expr[] =>
  values.map((value) => {
    const converted = convert(value, type);
    if (converted === undefined) throw new RangeError(`no conversion from ${value.type} to ${type}`);
    return converted.sql;
  });
