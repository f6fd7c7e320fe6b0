import type { ConstantScalar } from '../../plan/scalar.js';
import { datetimeText } from '../../syntax/lexing/datetime.js';
import { HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from '../../model/nanoseconds.js';

/** A constant as `tostring` writes it. */
export function textOfLiteral({ type, value }: ConstantScalar): string {
  if (typeof value === 'bigint' && type === 'timespan') return timespanText(value);
  if (typeof value === 'bigint' && type === 'datetime') return datetimeText(value);
  // `tostring` writes numbers from 10²¹ on without a sign in the exponent, unlike JavaScript.
  return String(value).replace('e+', 'e');
}

/** `1h2m3.5s`, `1.5ms`, `250µs`, `0s`. */
function timespanText(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${timespanText(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  for (const [limit, unit, name] of small)
    if (nanoseconds < limit) return `${nanoseconds / unit}${decimals(nanoseconds % unit, unit)}${name}`;
  const [hours, minutes] = [nanoseconds / HOUR, (nanoseconds / MINUTE) % 60n];
  const seconds = nanoseconds % MINUTE;
  const rest = `${minutes}m${seconds / SECOND}${decimals(seconds % SECOND, SECOND)}s`;
  return hours === 0n ? rest : `${hours}h${rest}`;
}

const small: readonly (readonly [limit: bigint, unit: bigint, name: string])[] = [
  [MICROSECOND, 1n, 'ns'],
  [MILLISECOND, MICROSECOND, 'µs'],
  [SECOND, MILLISECOND, 'ms'],
  [MINUTE, SECOND, 's'],
];

/** The decimal point and the digits after it; empty when all digits are zero. */
function decimals(part: bigint, unit: bigint): string {
  const digits = part
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return digits === '' ? '' : `.${digits}`;
}
