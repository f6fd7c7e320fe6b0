import type { SeriesData } from './series-data.js';

type Drawn = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;
type Values = readonly (number | null)[];

/** Two for each point of a wide chart: more of them draw over each other. */
const MOST_TIMES = 2400;

/**
 * Fewer points that make the same picture: of the many within one point of the screen the lowest
 * and the highest, in their order. What stands on each other is taken at the same times, those at
 * which all of it is lowest and highest.
 */
export function thinned(data: Drawn, stacked: boolean): Drawn {
  if (data.kind !== 'times' || data.times.length <= MOST_TIMES) return data;
  const { times, series } = data;
  const size = Math.ceil((2 * times.length) / MOST_TIMES);
  const starts = Array.from({ length: Math.ceil(times.length / size) }, (_, group) => group * size);
  const placesOf = (values: Values): readonly number[] => starts.flatMap((start) => extremes(values, start, size));
  const all = stacked ? placesOf(times.map((_, at) => sumAt(series, at))) : undefined;
  return {
    ...data,
    // Its buckets are narrower than a point of the screen: none can be seen to be cut.
    step: undefined,
    times: starts.flatMap((start) => [times[start]!, times[Math.min(times.length - 1, start + (size >> 1))]!]),
    series: series.map(({ name, values }) => ({
      name,
      values: (all ?? placesOf(values)).map((place) => values[place] ?? null),
    })),
  };
}

/** Where the lowest and the highest of some values are, in their order. */
function extremes(values: Values, start: number, size: number): readonly [number, number] {
  const end = Math.min(values.length, start + size);
  let [low, high] = [start, start];
  for (let at = start; at < end; at++) {
    const value = values[at] ?? null;
    if (value === null) continue;
    if (value < (values[low] ?? Infinity)) low = at;
    if (value > (values[high] ?? -Infinity)) high = at;
  }
  return low < high ? [low, high] : [high, low];
}

const sumAt = (series: readonly { readonly values: Values }[], at: number): number =>
  series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
