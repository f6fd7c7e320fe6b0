import { call } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { unquoteJson } from '../../functions/conversion/compared-json.js';
import { defineOverload, param } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import type { Scalar } from '../../plan/scalar.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { apply } from '../calls/calls.js';
import type { QueryContext } from '../context.js';
import { int64OrNull } from '../../lower/values.js';

/** Timespans are whole numbers of nanoseconds. */
export const isIntegerType = (type: ScalarType): boolean => type === 'long' || type === 'timespan';

/** The integer that a real, a text or a dynamic value equals, with all its digits; null if none. */
export const exactInteger = (scalar: Scalar, query: QueryContext): Scalar =>
  apply('exactInteger', isDynamic(scalar.type) ? ofJson : scalar.type === 'string' ? ofText : ofReal, [scalar], query);

const ofReal = defineOverload({
  params: [param('number', 'real')],
  returns: 'long',
  lower: ([number]) => int64OrNull(number.sql),
});

/** Texts and JSON write 1 also as 1.0 and 10e-1. */
const integerIn = (written: Expr): Expr =>
  shareSubexpression(written, (text) =>
    call('coalesce', call('toInt64OrNull', text), int64OrNull(call('toFloat64OrNull', text))),
  );

const ofText = defineOverload({
  params: [param('number', 'string')],
  returns: 'long',
  lower: ([text]) => integerIn(text.sql),
});

const ofJson = defineOverload({
  params: [param('number', 'dynamic')],
  returns: 'long',
  lower: ([json]) => integerIn(unquoteJson(json.sql)),
});
