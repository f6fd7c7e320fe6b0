import { asString } from '../../lower/values.js';
import { defineOverload, param } from '../../functions/define.js';
import { callOf, constant } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { mergeReadings } from './coerce.js';

/** Any value as text, null staying null. */
export function textOf(bound: Bound): Scalar {
  const [first, ...others] = bound;
  if (others.length > 0)
    return mergeReadings(
      bound.map((reading) => textOf([reading])),
      'string',
    );
  const scalar = first;
  if (scalar.type === 'string') return scalar;
  if (scalar.kind === 'constant' && scalar.value === null) return constant('string', null);
  return callOf('text', text, [scalar]);
}

const text = defineOverload({
  params: [param('value', 'any')],
  returns: 'string',
  lower: ([value]) => asString(value),
});
