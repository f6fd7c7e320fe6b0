import type { SeriesData } from './series-data.js';

type Times = Extract<SeriesData, { readonly kind: 'times' }>;
type Values = readonly (number | null)[];

/**
 * The first and the last bucket of a chart reach beyond what was asked for, most often the last one
 * beyond now. Their numbers are those of a part, and are drawn as such: otherwise every count falls
 * at its end.
 */
export interface Cut {
  readonly first: boolean;
  readonly last: boolean;
}

export const whole: Cut = { first: false, last: false };

/** Ends of ranges are given to the nanosecond, and read to the millisecond. */
const ROUNDING = 1;

export function cutOf({ times, step, asked }: Pick<Times, 'times' | 'step' | 'asked'>): Cut {
  const [first, last] = [times[0], times.at(-1)];
  if (step === undefined || asked === undefined || first === undefined || last === undefined) return whole;
  return { first: first < asked.from, last: last + step > asked.to + ROUNDING };
}

export const isCut = (cut: Cut, at: number, length: number): boolean =>
  (cut.first && at === 0) || (cut.last && at === length - 1);

/** What is left without the buckets that are cut. */
export const wholeValues = (values: Values, cut: Cut): Values =>
  values.slice(cut.first ? 1 : 0, cut.last ? values.length - 1 : values.length);

/**
 * The ends of a line that lead to what is cut: places of its values, with undefined between two
 * ends.
 */
export function cutEnds(values: Values, cut: Cut, join: boolean): readonly (number | undefined)[] {
  const end = values.length - 1;
  const there = (at: number): boolean => values[at] !== null;
  // A line that goes on over gaps leads to the next value, wherever that is.
  const after = join ? values.findIndex((_, at) => at > 0 && there(at)) : 1;
  const before = join ? values.findLastIndex((_, at) => at < end && there(at)) : end - 1;
  const lead = cut.first ? [0, ...(after > 0 && after <= end ? [after] : [])] : [];
  // Of two values that are both cut there is one end.
  const tail = cut.last && !(cut.first && lead.includes(end)) ? [...(before >= 0 ? [before] : []), end] : [];
  return lead.length > 0 && tail.length > 0 ? [...lead, undefined, ...tail] : [...lead, ...tail];
}
