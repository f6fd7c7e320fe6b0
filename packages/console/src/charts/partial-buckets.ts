import type { SeriesData } from './series-data.js';

type Times = Extract<SeriesData, { readonly kind: 'times' }>;
type Values = readonly (number | null)[];

/**
 * The first and last bucket of a chart may extend beyond the requested range, most often beyond
 * now. Their numbers are partial and drawn differently; otherwise every count would seem to drop at
 * the end.
 */
export interface PartialEdges {
  readonly first: boolean;
  readonly last: boolean;
}

export const NO_PARTIALS: PartialEdges = { first: false, last: false };

/** Ranges end with nanosecond precision and are read in milliseconds. */
const ROUNDING = 1;

export function partialEdges({ times, step, asked }: Pick<Times, 'times' | 'step' | 'asked'>): PartialEdges {
  const [first, last] = [times[0], times.at(-1)];
  if (step === undefined || asked === undefined || first === undefined || last === undefined) return NO_PARTIALS;
  return { first: first < asked.from, last: last + step > asked.to + ROUNDING };
}

export const isCut = (cut: PartialEdges, at: number, length: number): boolean =>
  (cut.first && at === 0) || (cut.last && at === length - 1);

/** Removes partial buckets. */
export const completeValues = (values: Values, cut: PartialEdges): Values =>
  values.slice(cut.first ? 1 : 0, cut.last ? values.length - 1 : values.length);

/**
 * Line segments that lead to partial buckets: positions of values, with undefined between two
 * segments.
 */
export function cutEnds(values: Values, cut: PartialEdges, join: boolean): readonly (number | undefined)[] {
  const end = values.length - 1;
  const there = (at: number): boolean => values[at] !== null;
  // A line that spans gaps leads to the next value at any distance.
  const after = join ? values.findIndex((_, at) => at > 0 && there(at)) : 1;
  const before = join ? values.findLastIndex((_, at) => at < end && there(at)) : end - 1;
  const lead = cut.first ? [0, ...(after > 0 && after <= end ? [after] : [])] : [];
  // Two adjacent partial values share one segment.
  const tail = cut.last && !(cut.first && lead.includes(end)) ? [...(before >= 0 ? [before] : []), end] : [];
  return lead.length > 0 && tail.length > 0 ? [...lead, undefined, ...tail] : [...lead, ...tail];
}
