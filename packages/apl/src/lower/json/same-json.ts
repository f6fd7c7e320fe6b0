import { defineOverload, param } from '../../functions/define.js';
import { callOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { isDynamic } from '../../model/types.js';
import { sameText } from './json-parts.js';

/**
 * A dynamic value as its canonical text, any other value unchanged. Group keys of a plan already
 * have this form.
 */
export const asSameJson = (scalar: Scalar): Scalar =>
  isDynamic(scalar.type) ? callOf('same_json', sameJson, [scalar]) : scalar;

const sameJson = defineOverload({
  params: [param('value', 'dynamic')],
  returns: ([type]) => type ?? 'dynamic',
  lower: ([value]) => sameText(value.sql),
});
