import { type Instant, instantOf } from './instant.js';
import type { Names } from './message-schema.js';
import { MalformedMessageError } from './reader.js';

/**
 * Expected types of values in a JSON body. Mismatches are rejected with their path and the actual
 * type.
 */

/**
 * A value of the body and its path in the message that is being read, such as `attributes[0].key`.
 */
export interface Place {
  readonly value: unknown;
  readonly path: string;
}

type Members = Readonly<Record<string, unknown>>;

export const isSet = (members: Members, name: string): boolean =>
  Object.hasOwn(members, name) && members[name] !== null;

export function membersOf(value: unknown, path: string, message: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  return throwMismatch(path, `an object (${message})`, value);
}

export function placesOf(value: unknown, path: string): readonly Place[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return throwMismatch(path, 'a list', value);
  return value.map((element: unknown, index) => ({ value: element, path: `${path}[${index}]` }));
}

export const textOf = (value: unknown, path: string): string =>
  typeof value === 'string' ? value : throwMismatch(path, 'a string', value);

export function integerOf(value: unknown, path: string, min: bigint, max: bigint): bigint {
  const integer = asInteger(value);
  if (integer === undefined) return throwMismatch(path, 'an integer', value);
  return integer >= min && integer <= max ? integer : throwMismatch(path, `an integer from ${min} to ${max}`, value);
}

/**
 * An unsigned 64-bit integer. Nearly all come as a string of digits, which is read without a
 * bigint.
 */
export const instantIn = (value: unknown, path: string): Instant =>
  typeof value === 'string' && /^[1-9]\d{9,18}$/.test(value)
    ? { seconds: Number(value.slice(0, -9)), nanoseconds: Number(value.slice(-9)) }
    : instantOf(integerOf(value, path, 0n, 0xffff_ffff_ffff_ffffn));

function asInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

export function doubleOf(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const isNumber = typeof value === 'string' && /^(NaN|-?Infinity|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/.test(value);
  return isNumber ? Number(value) : throwMismatch(path, 'a number', value);
}

export function enumerateValue({ prefix, names }: Names, value: unknown, path: string): number {
  if (typeof value === 'string' && value.startsWith(prefix)) {
    const number = names.indexOf(value.slice(prefix.length).toLowerCase());
    if (number >= 0) return number;
  }
  const integer = asInteger(value);
  if (integer !== undefined && BigInt.asIntN(32, integer) === integer) return Number(integer);
  const last = names.length - 1;
  return throwMismatch(
    path,
    `0 to ${last} or ${prefix}${names[0]!.toUpperCase()} to ${prefix}${names[last]!.toUpperCase()}`,
    value,
  );
}

/** @throws MalformedMessageError */
export function throwMismatch(path: string, expected: string, found: unknown): never {
  throw new MalformedMessageError(
    `${path === '' ? '' : `${path}: `}expected ${expected}, found ${describeValue(found)}`,
  );
}

/** Maximum characters of a text in an error. */
const maxShownCharacters = 40;

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > maxShownCharacters ? `${value.slice(0, maxShownCharacters)}…` : value);
    case 'object':
      return 'an object';
    case 'undefined':
      return 'nothing';
    default:
      return String(value);
  }
}
