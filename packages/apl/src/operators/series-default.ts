import { bindSingle } from '../bind/context.js';
import { jsonOfConstant } from '../bind/dynamic.js';
import { isNumeric } from '../bind/types.js';
import { constant } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import { typeNameOf } from '../result-types.js';
import type { Expr } from '../syntax/ast.js';
import { datetimeText, parseDatetime } from '../syntax/datetime.js';
import { isDynamic } from '../types.js';
import type { ScalarType } from '../types.js';
import type { OperatorContext } from './define.js';

const zero = constant('dynamic', '0');
const none = constant('dynamic', null);

/**
 * What an empty bin of a series of this type holds, as JSON text: unless told, 0 for numbers and timespans and null for anything else. What is
 * told must be of the type of the series too, or its elements would be of two types.
 */
export function seriesDefault(written: Expr | undefined, series: ScalarType, context: OperatorContext): Scalar {
  if (written === undefined) return isNumeric(series) || series === 'timespan' ? zero : none;
  const { report } = context.query;
  const scalar = bindSingle(written, context.scalarScope({ fields: [] }));
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

/** A text that is a datetime is taken for one next to datetimes, as in comparisons. */
const timeOf = ({ value }: Scalar & { readonly kind: 'constant' }, series: ScalarType): bigint | undefined =>
  series === 'datetime' && typeof value === 'string' ? parseDatetime(value) : undefined;

/** Timespans are whole numbers of nanoseconds, so a number stands for one; the other way round it would be one by accident. */
const standsFor = (type: ScalarType, series: ScalarType): boolean =>
  type === series ||
  isDynamic(type) ||
  isDynamic(series) ||
  (isNumeric(type) && (isNumeric(series) || series === 'timespan'));
