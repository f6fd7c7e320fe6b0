/**
 * Only for tests: values as a plain program holds them. Integers, datetimes and timespans are
 * bigints (the latter two in nanoseconds), reals are numbers, dynamic values are parsed JSON with
 * whole numbers as bigints. Null is null.
 */
export type Value = null | boolean | bigint | number | string | readonly Value[] | Bag;
export interface Bag {
  readonly [key: string]: Value;
}

/**
 * Types of the evaluator. The value shows whether JSON is an array or an object. A mixed field
 * contains integers, reals, strings and booleans, each with its own type.
 */
export type Type = 'bool' | 'long' | 'real' | 'string' | 'datetime' | 'timespan' | 'dynamic' | 'mixed';

export interface Column {
  readonly name: string;
  readonly type: Type;
}
export type Row = readonly Value[];
export interface Table {
  /** The dataset that a named table comes from, if not the one of its name. */
  readonly origin?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isBag = (value: Value): value is Bag => typeof value === 'object' && value !== null && !isList(value);
export const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Integers are 64 bits wide and wrap around. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** The number without its fraction, null if it does not fit 64 bits. */
export function truncate(real: number): bigint | null {
  if (!Number.isFinite(real)) return null;
  const whole = BigInt(Math.trunc(real));
  return whole === wrap(whole) ? whole : null;
}

/**
 * The order of two values of one type that are not null; undefined if one is NaN. Texts are ordered
 * by bytes.
 */
export function order(a: Value, b: Value): number | undefined {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : a >= b ? 0 : undefined;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  const [left, right] = [jsonText(a), jsonText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * A text that is equal for equal values, for groups, sets and keys of joins. 0 and -0 are equal.
 */
export const identity = (value: Value): string =>
  typeof value === 'string'
    ? `"${value}`
    : isNumber(value)
      ? realText(Number(value) === 0 ? 0 : value)
      : jsonText(value);

/** The key of a group: 0 and -0 are equal and both become 0. */
export const oneZero = (type: Type, value: Value): Value => (type === 'real' && value === 0 ? 0 : value);

/** JSON without spaces, keys in their order; NaN and infinities are null. */
export function jsonText(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? realText(value) : 'null';
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  if (isBag(value))
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
      .join(',')}}`;
  return String(value);
}

/** The value of a JSON text, null if it is not JSON. */
export function jsonOf(text: string): Value {
  try {
    return exact(JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

/** Whole numbers of JSON as bigints. */
function exact(value: Value): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (isList(value)) return value.map(exact);
  return isBag(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, exact(member)])) : value;
}

/** The shortest text that parses to the same number. */
function realText(value: bigint | number): string {
  if (typeof value === 'bigint') return String(value);
  if (Object.is(value, -0)) return '-0';
  if (Number.isNaN(value)) return 'nan';
  return String(value).replace('e+', 'e').replace('Infinity', 'inf');
}

/** RFC 3339 with as many fractional digits as needed. */
export function datetimeText(nanoseconds: bigint): string {
  const below = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = new Date(Number((nanoseconds - below) / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}${fractionText(below)}Z`;
}

/** The digits of less than a second after the point, none for none. */
const fractionText = (nanoseconds: bigint): string =>
  nanoseconds === 0n ? '' : `.${nanoseconds.toString().padStart(9, '0').replace(/0+$/, '')}`;

/** `1h2m3.5s`, `1.5ms`, `0s`. */
function timespanText(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${timespanText(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  const n = Number(nanoseconds);
  if (n < 1e3) return `${n}ns`;
  if (n < 1e6) return `${realText(n / 1e3)}µs`;
  if (n < 1e9) return `${realText(n / 1e6)}ms`;
  const seconds = `${(nanoseconds / 1_000_000_000n) % 60n}${fractionText(nanoseconds % 1_000_000_000n)}s`;
  const minutes = nanoseconds / 60_000_000_000n;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The result of `tostring`, except that null stays null. */
export function textOf(value: Value, type: Type): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (type === 'datetime' && typeof value === 'bigint') return datetimeText(value);
  if (type === 'timespan' && typeof value === 'bigint') return timespanText(value);
  return isNumber(value) ? realText(value) : jsonText(value);
}

/**
 * A value as it is in JSON: datetimes are texts, timespans nanoseconds, NaN and infinities null.
 */
export function asDynamic(value: Value, type: Type): Value {
  if (type === 'datetime' && typeof value === 'bigint') return datetimeText(value);
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
}
