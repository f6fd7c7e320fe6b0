import { call, literal } from '@millrace/sql';
import { truncatedReal } from '../../functions/conversion/numbers.js';
import type { Overload, ParamType } from '../../functions/define.js';
import { convert } from '../../lower/values.js';
import { callOf, constant, isNull } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { isDynamic, isNumeric } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { commonType } from '../../functions/unify.js';
import { defineOverload } from '../../functions/define.js';

/**
 * How well a value fits a parameter: the cost is 0 if it fits unchanged, and grows with the
 * necessary conversion.
 */
export interface Fit {
  readonly cost: number;
  readonly scalar: Scalar;
}

/**
 * Costs in ascending order: one type variant of several, integer to real, any JSON for an array or
 * object, JSON to another type, real to integer, an array for an object or the reverse, anything to
 * JSON. The last exceeds the possible cost of all other arguments of a call: a value becomes JSON
 * only where nothing else fits.
 */
const cost = {
  exact: 0,
  reading: 1,
  widen: 2,
  narrowDynamic: 3,
  fromDynamic: 5,
  truncate: 9,
  truncateDynamic: 10,
  otherKind: 11,
  toDynamic: 1000,
} as const;

/** Whether a value that is no JSON has to become it. */
export const becomesJson = (fit: Fit): boolean => fit.cost >= cost.toDynamic;

/**
 * Converts a value to a single type: its only type variant, or all of them merged (numbers as real,
 * anything else as dynamic).
 */
export function single(bound: Bound): Scalar {
  return bound.length === 1 ? bound[0] : mergeReadings(bound, commonType(bound.map((scalar) => scalar.type)));
}

/** The JSON type variants of a value, merged into one; undefined if there are none. */
export function dynamicOf(bound: readonly Scalar[]): Scalar | undefined {
  const [first, ...others] = bound.filter((scalar) => isDynamic(scalar.type));
  return first === undefined || others.length === 0 ? first : mergeReadings([first, ...others], 'dynamic');
}

/** A value for a parameter, or undefined if it cannot be one. */
export function fit(bound: Bound, param: ParamType): Fit | undefined {
  if (param === 'any') return { cost: cost.exact, scalar: single(bound) };
  if (bound.length === 1 && isNull(bound[0])) return fitNull(bound[0].type, param);
  return param === 'number' ? fitNumber(bound) : fitType(bound, param);
}

/** A null fits anything, and best the type it was given. */
function fitNull(type: ScalarType, param: ScalarType | 'number'): Fit {
  const number = isNumeric(type) ? type : 'long';
  const own = isDynamic(type) || type === param || (param === 'number' && isNumeric(type));
  return { cost: own ? cost.exact : cost.reading, scalar: constant(param === 'number' ? number : param, null) };
}

function fitNumber(bound: Bound): Fit | undefined {
  const [first, ...rest] = bound.filter((scalar) => isNumeric(scalar.type));
  const others = bound.length > rest.length + 1 ? cost.reading : cost.exact;
  if (first !== undefined) return { cost: others, scalar: single([first, ...rest, ...anyAs(bound, 'real')]) };
  const json = dynamicOf(bound);
  return json === undefined ? undefined : { cost: cost.fromDynamic, scalar: convertTo(json, 'real') };
}

function fitType(bound: Bound, type: ScalarType): Fit | undefined {
  if (isDynamic(type)) return fitDynamic(bound, type);
  if (type === 'real') {
    const number = fitNumber(bound);
    if (number === undefined || number.scalar.type === 'real') return number;
    return { cost: number.cost + cost.widen, scalar: convertTo(number.scalar, 'real') };
  }
  const exact = bound.find((scalar) => scalar.type === type);
  const real = type === 'long' ? bound.find((scalar) => scalar.type === 'real') : undefined;
  // A number that is an integer only in some rows: the integer variant alone would lose the others.
  if (exact !== undefined && real !== undefined)
    return { cost: cost.truncate, scalar: mergeReadings([exact, truncate(real), ...anyAs(bound, type)], type) };
  if (exact !== undefined && bound.length === 1) return { cost: cost.exact, scalar: exact };
  if (exact !== undefined) {
    const more = anyAs(bound, type);
    return { cost: cost.reading, scalar: more.length === 0 ? exact : mergeReadings([exact, ...more], type) };
  }
  const json = dynamicOf(bound);
  if (real !== undefined) {
    const whole = truncate(real);
    return {
      cost: cost.truncate,
      scalar: json === undefined ? whole : mergeReadings([whole, convertTo(json, type)], type),
    };
  }
  if (json === undefined) return undefined;
  // As an integer it loses the decimals it may have, so an overload for reals is preferred even if
  // the other arguments must be widened for it.
  return { cost: type === 'long' ? cost.truncateDynamic : cost.fromDynamic, scalar: convertTo(json, type) };
}

/**
 * Dynamic type variants, which may contain a value of the type in some rows; as a string also
 * arrays and objects, which have a text.
 */
const anyAs = (bound: Bound, type: ScalarType): readonly Scalar[] =>
  bound
    .filter((scalar) => scalar.type === 'dynamic' || (type === 'string' && isDynamic(scalar.type)))
    .map((scalar) => convertTo(scalar, type));

function fitDynamic(bound: Bound, type: ScalarType): Fit | undefined {
  if (type === 'dynamic') {
    const scalar = single(bound);
    if (isDynamic(scalar.type))
      return { cost: bound.length === 1 ? cost.exact : cost.reading, scalar: convertTo(scalar, type) };
    return { cost: cost.toDynamic, scalar: convertTo(scalar, type) };
  }
  const exact = bound.find((scalar) => scalar.type === type);
  const json = bound.find((scalar) => scalar.type === 'dynamic');
  if (exact !== undefined && json !== undefined)
    return { cost: cost.narrowDynamic, scalar: mergeReadings([exact, json], 'dynamic') };
  if (exact !== undefined) return { cost: bound.length === 1 ? cost.exact : cost.reading, scalar: exact };
  if (json !== undefined) return { cost: cost.narrowDynamic, scalar: json };
  // Functions define their result for a value of the wrong kind. A field of arrays may also hold an
  // empty object.
  const other = dynamicOf(bound);
  return other === undefined ? undefined : { cost: cost.otherKind, scalar: other };
}

/** An implicit conversion that is known to exist; constants are converted at once. */
export function convertTo(scalar: Scalar, type: ScalarType): Scalar {
  if (scalar.type === type) return scalar;
  if (scalar.kind === 'constant') {
    if (scalar.value === null) return constant(type, null);
    if (type === 'real' && typeof scalar.value === 'bigint') return constant('real', Number(scalar.value));
  }
  return { kind: 'convert', type, operand: scalar };
}

/** Whether the language converts between the types implicitly. */
export const converts = (from: ScalarType, to: ScalarType): boolean =>
  convert({ sql: literal(null), type: from }, to) !== undefined;

/** A real where an integer is expected: its integer part. */
function truncate(scalar: Scalar): Scalar {
  if (scalar.kind === 'constant' && typeof scalar.value === 'number' && Number.isFinite(scalar.value)) {
    const whole = BigInt(Math.trunc(scalar.value));
    return constant('long', BigInt.asIntN(64, whole) === whole ? whole : null);
  }
  return callOf('toint', truncation, [scalar]);
}

const truncation = defineOverload({
  params: [{ name: 'number', type: 'real' }],
  returns: 'long',
  lower: ([number]) => truncatedReal(number.sql),
});

/**
 * Merges several values into one; at most one is not null, as with the type variants of a field.
 */
export const mergeReadings = (bound: readonly Scalar[], type: ScalarType): Scalar =>
  callOf(
    'coalesce',
    mergeOverload(type),
    bound.map((scalar) => convertTo(scalar, type)),
  );

const mergeOverload = (type: ScalarType): Overload =>
  defineOverload({
    params: [],
    rest: { name: 'reading', type },
    returns: type,
    lower: (args) => call('coalesce', ...args.map((arg) => arg.sql)),
  });
