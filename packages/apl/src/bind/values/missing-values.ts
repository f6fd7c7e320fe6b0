import { isNull, nullScalar } from '../../plan/scalar.js';
import type { Bound } from '../../plan/scalar.js';
import type { QueryContext } from '../context.js';

/** Whether a value is null in all rows, because no event has the field that it is made of. */
export const isMissingValue = (value: Bound, { missingColumns }: QueryContext): boolean =>
  value.every((scalar) => isNull(scalar) || (scalar.kind === 'column' && missingColumns.has(scalar.id)));

/** The value, or the null that fits everywhere. */
export const fittingEverywhere = (value: Bound, query: QueryContext): Bound =>
  isMissingValue(value, query) ? [nullScalar] : value;
