import { MAX_LONG } from '../../model/int64.js';
import { DAY, HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from '../../model/nanoseconds.js';

/** Nanoseconds of each unit a timespan literal may end in. */
const units: readonly (readonly [nanoseconds: bigint, ...names: string[]])[] = [
  [7n * DAY, 'w', 'week', 'weeks'],
  [DAY, 'd', 'day', 'days'],
  [HOUR, 'h', 'hr', 'hrs', 'hour', 'hours'],
  [MINUTE, 'm', 'min', 'mins', 'minute', 'minutes'],
  [SECOND, 's', 'sec', 'secs', 'second', 'seconds'],
  [MILLISECOND, 'ms', 'milli', 'millis', 'millisecond', 'milliseconds'],
  [MICROSECOND, 'us', 'µs', 'μs', 'micro', 'micros', 'microsecond', 'microseconds'],
  [100n, 'tick', 'ticks'],
  [1n, 'ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds'],
];

export const timespanUnits: ReadonlyMap<string, bigint> = new Map(
  units.flatMap(([nanoseconds, ...names]) => names.map((name) => [name, nanoseconds] as const)),
);

/**
 * The number of decimals that are read: more cannot change the nanoseconds, but converting millions
 * of digits would take long.
 */
export const DECIMALS = 30;

/**
 * Nanoseconds in a decimal number of units (`1`, `1.5`), truncated below a nanosecond. Undefined
 * when they exceed 64 bits.
 */
export function scaleToNanoseconds(digits: string, unit: bigint): bigint | undefined {
  const [whole = '', fraction = ''] = digits.split('.');
  if (whole.replace(/^0+/, '').length > 19) return undefined;
  const decimals = fraction.slice(0, DECIMALS);
  const nanoseconds = (BigInt(whole + decimals) * unit) / 10n ** BigInt(decimals.length);
  return nanoseconds > MAX_LONG ? undefined : nanoseconds;
}

/**
 * Reads the text of `timespan(…)`: `15s`, `1h30m`, or
 * `[-][days.]hours:minutes[:seconds[.fraction]]`. Returns nanoseconds, or undefined when the text
 * has none of these forms or exceeds 64 bits.
 */
export function parseTimespan(text: string): bigint | undefined {
  const trimmed = text.trim();
  const negative = trimmed.startsWith('-');
  const magnitude = negative ? trimmed.slice(1).trim() : trimmed;
  const value = parseClock(magnitude) ?? parseUnits(magnitude);
  if (value === undefined || value > MAX_LONG) return undefined;
  return negative ? -value : value;
}

function parseClock(text: string): bigint | undefined {
  const match = /^(?:(\d{1,7})\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?$/.exec(text);
  if (match === null) return undefined;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return (
    BigInt(days) * DAY +
    BigInt(hours) * HOUR +
    BigInt(minutes) * MINUTE +
    BigInt(seconds) * SECOND +
    BigInt(fraction.padEnd(9, '0'))
  );
}

function parseUnits(text: string): bigint | undefined {
  if (!/^(?:\d+(?:\.\d+)?[a-zµμ]+)+$/.test(text)) return undefined;
  let total = 0n;
  for (const [, digits = '', name = ''] of text.matchAll(/(\d+(?:\.\d+)?)([a-zµμ]+)/g)) {
    const unit = timespanUnits.get(name);
    const part = unit === undefined ? undefined : scaleToNanoseconds(digits, unit);
    if (part === undefined) return undefined;
    total += part;
  }
  return total;
}
