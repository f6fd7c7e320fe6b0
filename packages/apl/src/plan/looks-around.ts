import { partsOf } from './scalar.js';
import type { Scalar } from './scalar.js';

/** Whether the expression reads other rows. */
export const looksAround = (scalar: Scalar): boolean =>
  (scalar.kind === 'call' && scalar.overload.looksAround === true) || partsOf(scalar).some(looksAround);
