import type { Scalar } from '../../plan/scalar.js';
import type { QueryContext } from '../context.js';

/** Whether a value is a result of `dayofweek`, perhaps in a column or named by `let`. */
export const isWeekday = (scalar: Scalar, { weekdayColumns, weekdays }: QueryContext): boolean =>
  scalar.kind === 'column'
    ? weekdayColumns.has(scalar.id)
    : (scalar.kind === 'call' && scalar.name === 'dayofweek') || weekdays.has(scalar);
