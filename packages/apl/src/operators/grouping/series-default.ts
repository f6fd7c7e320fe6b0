import { bindSingle } from '../../bind/context.js';
import { jsonOfConstant } from '../../bind/values/dynamic.js';
import { constant } from '../../plan/scalar.js';
import type { ConstantScalar, Scalar } from '../../plan/scalar.js';
import { typeNameOf } from '../../model/result-types.js';
import type { Expr } from '../../syntax/ast.js';
import { datetimeText, parseDatetime } from '../../syntax/lexing/datetime.js';
import { isDynamic, isNumeric } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import type { OperatorContext } from '../define.js';

const zero = constant('dynamic', '0');
const none = constant('dynamic', null);

/**
 * The value of an empty bin in a series of this type, as JSON text: unless a default is given, 0
 * for numbers and timespans and null for other types. A default must have the type of the series,
 * or the elements would have two types.
 */
export function seriesDefault(written: Expr | undefined, series: ScalarType, context: OperatorContext): Scalar {
  if (written === undefined) return isNumeric(series) || series === 'timespan' ? zero : none;
  const { report } = context.query;
  const scalar = bindSingle(written, context.constantScope);
  if (scalar.kind !== 'constant') {
    report.error('not_constant', written.span, 'the default must be a constant');
    return zero;
  }
  const { value, type } = scalar;
  if (value === null) return none;
  const time = typeof value === 'bigint' && type === 'datetime' ? value : timeOf(scalar, series);
  if (time !== undefined && (series === 'datetime' || isDynamic(series)))
    return constant('dynamic', JSON.stringify(datetimeText(time)));
  if (!standsFor(type, series)) {
    const [own, other] = [typeNameOf([series]), typeNameOf([type])];
    const message = `the series is of ${own}, so its default cannot be ${other}; null is written ${series}(null)`;
    report.error('type_mismatch', written.span, message);
    return zero;
  }
  return constant('dynamic', jsonOfConstant(scalar) ?? null);
}

/**
 * The datetime in a string, if the series is of datetimes; comparisons parse such strings in the
 * same way.
 */
const timeOf = ({ value }: ConstantScalar, series: ScalarType): bigint | undefined =>
  series === 'datetime' && typeof value === 'string' ? parseDatetime(value) : undefined;

/**
 * A number may be used as a timespan: whole nanoseconds. A timespan cannot be used as a number,
 * because that would probably be a mistake.
 */
const standsFor = (type: ScalarType, series: ScalarType): boolean =>
  type === series ||
  isDynamic(type) ||
  isDynamic(series) ||
  (isNumeric(type) && (isNumeric(series) || series === 'timespan'));
