import type { Param } from '../../functions/define.js';
import { isNumeric, type ScalarType } from '../../model/types.js';
import type { QueryContext } from '../context.js';
import type { Fit } from '../values/coerce.js';
import { noteLeftOut, noteReading, preferenceOf, readText } from '../values/read-text.js';
import type { ReadType } from '../values/read-text.js';
import type { BoundArgument } from './calls.js';

/** An argument that is read as the type of its parameter. */
interface ReadFit extends Fit {
  readonly read: ReadType;
}

/**
 * More than all other conversions of a call cost, apart from those to JSON, and for each further
 * type more than those differ: times are preferred to numbers, and reals to integers.
 */
const COST = 100;

/**
 * Texts for a parameter of another type, each read as it (see `read-text.ts`). Only for calls that
 * no overload fits otherwise. A text that the query itself has there is a slip, and so is one that
 * stands where a condition belongs.
 */
export function readFit({ value }: BoundArgument, { type, constant }: Param, query: QueryContext): ReadFit | undefined {
  const text = value.find((reading) => reading.type === 'string');
  const preference = preferenceOf(type);
  if (text === undefined || text.kind === 'constant' || preference === undefined) return undefined;
  if (type === 'bool' || constant === true) return undefined;
  const read = type === 'number' ? 'real' : (type as ReadType);
  const scalar = readText(text, read, query);
  return scalar && { cost: COST * (preference + 1), scalar, read };
}

/**
 * Whether string arguments of a call may be parsed: an operator between two strings does not tell
 * the type, and + should concatenate them.
 */
export const mayRead = (name: string, fits: readonly Fit[]): boolean =>
  /^\w+$/.test(name) || fits.length < 2 || fits.some((fit) => !isRead(fit));

const isRead = (fit: Fit): fit is ReadFit => 'read' in fit;

/**
 * Reports the arguments of a chosen overload that are read, and those whose texts are left out
 * because they have values of the wanted type too.
 * @param isRanked whether an argument is compared with those of other rows, numbers before texts
 */
export function noteReadArguments(
  name: string,
  args: readonly BoundArgument[],
  fits: readonly Fit[],
  isRanked: (index: number) => boolean,
  query: QueryContext,
): void {
  for (const [i, fit] of fits.entries()) {
    const arg = args[i];
    if (arg === undefined) continue;
    if (isRead(fit)) {
      noteReading(arg, fit.read, query);
      continue;
    }
    const kept = isRanked(i) ? arg.value.find(({ type }) => isNumeric(type))?.type : fit.scalar.type;
    if (kept !== undefined && hasOtherTexts(arg, kept)) noteLeftOut(name, arg, kept as ReadType, query);
  }
}

const hasOtherTexts = ({ value }: BoundArgument, kept: ScalarType): boolean =>
  value.length > 1 && preferenceOf(kept) !== undefined && value.some(({ type }) => type === 'string');
