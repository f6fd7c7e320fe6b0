import { call } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import { once } from '../../lower/computed-once.js';
import type { Scalar } from '../../plan/scalar.js';
import { isDynamic } from '../../types.js';
import type { ScalarType } from '../../types.js';
import { applied } from '../calls/calls.js';
import type { QueryContext } from '../context.js';
import { int64OrNull } from '../../lower/values.js';

/** Timespans are whole numbers of nanoseconds. */
export const isWhole = (type: ScalarType): boolean => type === 'long' || type === 'timespan';

/** The integer that a real or dynamic value equals, with all its digits; null if it equals none. */
export const exactInteger = (scalar: Scalar, query: QueryContext): Scalar =>
  applied('exactInteger', isDynamic(scalar.type) ? ofJson : ofReal, [scalar], query);

const ofReal = defineOverload({
  params: [param('number', 'real')],
  returns: 'long',
  lower: ([number]) => int64OrNull(number.sql),
});

const ofJson = defineOverload({
  params: [param('number', 'dynamic')],
  returns: 'long',
  // JSON writes 1 also as 1.0 and 10e-1.
  lower: ([json]) =>
    once(json.sql, (text) => call('coalesce', call('toInt64OrNull', text), int64OrNull(call('toFloat64OrNull', text)))),
});
