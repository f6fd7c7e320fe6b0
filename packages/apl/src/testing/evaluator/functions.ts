import { addressFunctions, addressTextFunctions } from './functions/address.js';
import { aggregateFunctions } from './aggregates.js';
import { angleFunctions } from './functions/angle.js';
import { arrayFunctions, sortFunctions } from './functions/array.js';
import { byteFunctions, valueTextFunctions } from './functions/byte.js';
import { chatFunctions } from './functions/chat.js';
import { convert, converts } from './conversions.js';
import { encodingFunctions, hashFunctions } from './functions/encoding.js';
import { filterFunctions } from './functions/filter.js';
import { generalFunctions } from './functions/general.js';
import { jsonFunctions, openJsonFunctions } from './functions/json.js';
import { numberFunctions } from './functions/number.js';
import { patternFunctions } from './functions/pattern.js';
import { rowFunctions } from './functions/row.js';
import type { Scalar } from './scalar.js';
import { seriesFunctions } from './functions/series.js';
import { setFunctions } from './functions/set.js';
import { textFunctions } from './functions/text.js';
import { textPartFunctions } from './functions/text-part.js';
import { timeFunctions } from './functions/time.js';
import { timeMakingFunctions } from './functions/time-making.js';
import type { Type, Value } from './values.js';

/** A function of values that is null if one of them is null. */
export interface Plain {
  readonly params: readonly Type[];
  /** Parameters from this one on may be left out. */
  readonly optional?: number;
  readonly returns: Type;
  readonly of: (...args: readonly never[]) => Value;
}

/** A function of its unconverted arguments. */
export type Special = (args: readonly Scalar[]) => Scalar;

const plain: ReadonlyMap<string, readonly Plain[]> = new Map(
  [
    textFunctions,
    encodingFunctions,
    patternFunctions,
    numberFunctions,
    timeFunctions,
    arrayFunctions,
    setFunctions,
    seriesFunctions,
    filterFunctions,
    addressFunctions,
    angleFunctions,
    byteFunctions,
    chatFunctions,
    jsonFunctions,
    textPartFunctions,
    timeMakingFunctions,
  ].flatMap((table) => Object.entries(table)),
);
const special: ReadonlyMap<string, Special> = new Map(
  [
    generalFunctions,
    sortFunctions,
    hashFunctions,
    rowFunctions,
    aggregateFunctions,
    addressTextFunctions,
    openJsonFunctions,
    valueTextFunctions,
  ].flatMap((table) => Object.entries(table)),
);

/** A call of a function by its name. */
export function callOf(name: string, args: readonly Scalar[]): Scalar {
  const made = special.get(name)?.(args);
  if (made !== undefined) return made;
  const overloads = (plain.get(name) ?? []).filter(
    ({ params, optional = params.length }) => args.length >= optional && args.length <= params.length,
  );
  const takes = (fits: (arg: Scalar, type: Type) => boolean): Plain | undefined =>
    overloads.find(({ params }) => args.every((arg, i) => fits(arg, params[i]!)));
  // A null fits any parameter, best one of its written type.
  const chosen =
    takes((arg, type) => arg.type === type) ??
    takes((arg, type) => arg.type === type || (arg.type === 'long' && type === 'real')) ??
    takes((arg, type) => arg.isNull === true || arg.type === type || (arg.type === 'long' && type === 'real')) ??
    takes((arg, type) => arg.isNull === true || converts(arg.type, type));
  if (chosen === undefined) throw new Error(`no function ${name}(${args.map((arg) => arg.type).join(', ')})`);
  const given = args.map((arg, i) => convert(arg, chosen.params[i]!));
  return {
    type: chosen.returns,
    at: (rows, i) => {
      const values = given.map((arg) => arg.at(rows, i));
      return values.includes(null) ? null : chosen.of(...(values as never[]));
    },
  };
}
