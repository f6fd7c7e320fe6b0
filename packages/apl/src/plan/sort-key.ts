import type { SortKey } from './nodes.js';
import type { Scalar } from './scalar.js';

/** Keys with nulls at the end. */
export const ascending = (expr: Scalar): SortKey => ({ expr, descending: false, nullsFirst: false });
export const descending = (expr: Scalar): SortKey => ({ expr, descending: true, nullsFirst: false });
