import { defineOverload, param } from '../../functions/define.js';
import { callOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { isDynamic } from '../../types.js';
import { sameText } from './json-parts.js';

/**
 * A dynamic value as the text that all equal ones get, any other value as it is. What a plan groups
 * by is that already.
 */
export const asSameJson = (scalar: Scalar): Scalar =>
  isDynamic(scalar.type) ? callOf('same_json', sameJson, [scalar]) : scalar;

const sameJson = defineOverload({
  params: [param('value', 'dynamic')],
  returns: ([type]) => type ?? 'dynamic',
  lower: ([value]) => sameText(value.sql),
});
