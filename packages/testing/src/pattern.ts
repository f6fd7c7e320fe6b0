import { inspect, isDeepStrictEqual } from 'node:util';
import { type Event, isLevel, isObject, lookUp } from './event.js';

/** `expect.any(Number)` and the like, of any runner. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * What a field must be: an equal value, text that a regular expression finds, a value for which a
 * function returns true, or with null no value. Objects stand for their fields.
 */
export type FieldPattern =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | RegExp
  | Date
  | AsymmetricMatcher
  | ((value: unknown) => boolean)
  | readonly FieldPattern[]
  | { readonly [field: string]: FieldPattern };

/** Fields of an event; others may be there. */
export type LogPattern = Readonly<Record<string, FieldPattern>>;

/** How a field compares with the pattern. */
export interface Comparison {
  /** Path in the pattern. */
  readonly path: string;
  /** Name of the field that was found. */
  readonly name: string | undefined;
  readonly expected: FieldPattern;
  readonly actual: unknown;
  readonly matches: boolean;
  /** Says more about the value. */
  readonly note?: string;
}

export function compareFields(pattern: LogPattern, event: Event, prefix = ''): readonly Comparison[] {
  return Object.entries(pattern).flatMap(([field, expected]) => {
    const path = `${prefix}${field}`;
    if (isNested(expected)) return compareFields(expected, event, `${path}.`);
    const found = lookUp(event, path);
    const actual = found?.value;
    const matches = isLevel(path) ? isSameLevel(expected, actual) : matchesValue(expected, actual);
    return [{ path, name: found?.name, expected, actual, matches }];
  });
}

const isNested = (expected: FieldPattern): expected is LogPattern =>
  isObject(expected) && !isAsymmetric(expected) && Object.keys(expected).length > 0;

const isAsymmetric = (expected: unknown): expected is AsymmetricMatcher =>
  typeof (expected as Partial<AsymmetricMatcher> | null)?.asymmetricMatch === 'function';

const isRegExp = (value: unknown): value is RegExp => Object.prototype.toString.call(value) === '[object RegExp]';
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

export function matchesValue(expected: FieldPattern, actual: unknown): boolean {
  if (expected === null || expected === undefined) return actual === null || actual === undefined;
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  if (typeof expected === 'function') return expected(actual);
  if (isRegExp(expected)) return typeof actual === 'string' && new RegExp(expected.source, expected.flags).test(actual);
  if (isDate(expected)) return typeof actual === 'string' && Date.parse(actual) === expected.getTime();
  if (typeof expected === 'bigint') return typeof actual === 'number' && BigInt(Math.trunc(actual)) === expected;
  return isDeepStrictEqual(expected, actual);
}

/** Numbers of pino. */
const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** `ERROR`, `error` and 50 are one level. */
function isSameLevel(expected: FieldPattern, actual: unknown): boolean {
  if (matchesValue(expected, actual)) return true;
  if (typeof expected !== 'string') return isRegExp(expected) && matchesValue(expected, levelName(actual));
  return levelName(expected) === levelName(actual);
}

function levelName(level: unknown): string {
  const name = typeof level === 'number' ? (levels[level] ?? String(level)) : String(level).toLowerCase();
  return name === 'warning' ? 'warn' : name;
}

/** A value as source text, on one line. */
export function show(value: unknown): string {
  if (isAsymmetric(value))
    return (value as { toAsymmetricMatcher?: () => string }).toAsymmetricMatcher?.() ?? String(value);
  if (typeof value === 'function') return String(value).replaceAll(/\s+/g, ' ');
  return inspect(value, { breakLength: Infinity, compact: true, depth: 6, maxStringLength: 300, maxArrayLength: 20 });
}
