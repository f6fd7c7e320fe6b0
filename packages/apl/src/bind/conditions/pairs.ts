import { comparedJson } from '../../functions/conversion/compared-json.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { isDynamic, isNumeric } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { apply } from '../calls/calls.js';
import type { QueryContext } from '../context.js';
import { convertTo } from '../values/coerce.js';
import { exactInteger, isIntegerType } from '../values/exact-integer.js';
import { noteReadConstant, noteReading, preferenceOf, readNumber, readText } from '../values/read-text.js';
import type { ReadType, TextPlace } from '../values/read-text.js';

/** Which values of two sides are comparable, and with which type. */

export type Pair = readonly [Scalar, Scalar];

/**
 * Like `pairOf`, for equality: a dynamic value or string compared with an integer becomes the equal
 * integer, with all its digits, or null.
 */
export function equalPairOf(a: Scalar, b: Scalar, query: QueryContext): readonly Pair[] {
  if (holdsInteger(a) && isUnknownInteger(b)) return [[exactInteger(a, query), b]];
  if (holdsInteger(b) && isUnknownInteger(a)) return [[a, exactInteger(b, query)]];
  return isNoReal(a, b) || isNoReal(b, a) ? [] : pairOf(a, b, query);
}

/**
 * Like `pairOf`, for an order. Beside an integer that a real cannot represent, integers are
 * compared with all their digits, and values that are no 64-bit integers as reals. The first pair
 * that is not null decides.
 */
export function orderPairsOf(a: Scalar, b: Scalar, query: QueryContext): readonly Pair[] {
  const pairs = pairOf(a, b, query);
  if (isLargeInteger(b)) return [...pairs, ...readAsReal(a, query).map((real): Pair => [real, b])];
  if (isLargeInteger(a)) return [...pairs, ...readAsReal(b, query).map((real): Pair => [a, real])];
  return pairs;
}

function readAsReal(scalar: Scalar, query: QueryContext): readonly Scalar[] {
  if (scalar.kind === 'constant') return [];
  if (scalar.type === 'dynamic') return [apply('compared', comparedJson.real!, [scalar], query)];
  const real = scalar.type === 'string' ? readText(scalar, 'real', query) : undefined;
  return real === undefined ? [] : [real];
}

/** Whether a side is a text of digits that no real has: the nearest real is another number. */
function isNoReal(text: Scalar, other: Scalar): boolean {
  if (other.type !== 'real' || text.type !== 'string' || text.kind !== 'constant') return false;
  if (typeof text.value !== 'string' || !/^-?\d{16,400}$/.test(text.value)) return false;
  const nearest = Number(text.value);
  return Number.isFinite(nearest) && BigInt(nearest) !== BigInt(text.value);
}

/** A constant text is read as a constant instead. */
const holdsInteger = ({ type, kind }: Scalar): boolean => isDynamic(type) || (type === 'string' && kind !== 'constant');
/** For a constant it is known whether reals have enough digits (see `numberBeside`). */
const isUnknownInteger = ({ type, kind }: Scalar): boolean => isIntegerType(type) && kind !== 'constant';

/**
 * The two sides converted for comparison, or nothing if they do not compare. A dynamic side takes
 * the type of the other, and so does a text.
 */
function pairOf(a: Scalar, b: Scalar, query: QueryContext): readonly Pair[] {
  if (a.type === b.type) return [[a, b]];
  if (isNumber(a.type) && isNumber(b.type)) return [[a, b]];
  if (isDynamic(a.type) && isDynamic(b.type)) return [[a, b]];
  if (isDynamic(a.type)) return [[memberBeside(a, b, query), b]];
  if (isDynamic(b.type)) return [[a, memberBeside(b, a, query)]];
  const [left, right] = [textBeside(a, b, query), textBeside(b, a, query)];
  if (left !== undefined) return [[left, b]];
  return right === undefined ? [] : [[a, right]];
}

/** Durations in events are whole numbers of nanoseconds, so numbers compare with timespans. */
export const isNumber = (type: ScalarType): boolean => isNumeric(type) || type === 'timespan';

function memberBeside(member: Scalar, other: Scalar, query: QueryContext): Scalar {
  const type = numberBeside(other);
  const overload = member.type === 'dynamic' ? comparedJson[type] : undefined;
  const isKnownNull = member.kind === 'constant' && member.value === null;
  return overload === undefined || isKnownNull ? convertTo(member, type) : apply('compared', overload, [member], query);
}

function textBeside(text: Scalar, other: Scalar, query: QueryContext): Scalar | undefined {
  if (text.type !== 'string') return undefined;
  if (text.kind === 'constant' && isNumeric(other.type)) return readNumber(text, query);
  const type = numberBeside(other);
  return preferenceOf(type) === undefined ? undefined : readText(text, type as ReadType, query);
}

/**
 * JSON and strings do not distinguish integers from reals, so they are parsed as reals; if the
 * other side is beyond 2^53, as integers, which preserves all digits and loses no fraction.
 */
function numberBeside(other: Scalar): ScalarType {
  return other.type === 'long' && !isLargeInteger(other) ? 'real' : other.type;
}

const isLargeInteger = (scalar: Scalar): boolean =>
  scalar.kind === 'constant' &&
  scalar.type === 'long' &&
  typeof scalar.value === 'bigint' &&
  !Number.isSafeInteger(Number(scalar.value));

/**
 * Reports the texts of two sides that are read as another type, each side once.
 */
export function noteReadings(
  [left, right]: readonly [Bound, Bound],
  places: readonly [TextPlace, TextPlace],
  query: QueryContext,
): void {
  noteSide(left, right, places[0], query);
  noteSide(right, left, places[1], query);
}

function noteSide(side: Bound, others: Bound, place: TextPlace, query: QueryContext): void {
  const text = side.find(({ type }) => type === 'string');
  if (text === undefined) return;
  const read = others.flatMap((other) => {
    const value = isDynamic(other.type) ? undefined : textBeside(text, other, query);
    return value === undefined ? [] : [{ value, type: numberBeside(other) as ReadType }];
  });
  const [first] = read;
  if (first === undefined) return;
  // A string that is also compared with strings is not meant as the other type.
  if (text.kind !== 'constant') noteReading(place, first.type, query);
  else if (!others.some(({ type }) => type === 'string')) noteReadConstant(place, first.value, query);
}
