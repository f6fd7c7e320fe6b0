import type { SeriesData } from './series-data.js';

type DrawableSeries = Extract<SeriesData, { readonly kind: 'times' | 'groups' }>;
type Values = readonly (number | null)[];

/** Two per pixel of a wide chart; more would overlap. */
const MAX_TIMES = 2400;

/**
 * Reduces points without a visible change: keeps the minimum and maximum per pixel, in order.
 * Stacked series are sampled at the same times, those of the minimum and maximum of their sum.
 */
export function thinPoints(data: DrawableSeries, stacked: boolean): DrawableSeries {
  if (data.kind !== 'times' || data.times.length <= MAX_TIMES) return data;
  const { times, series } = data;
  const size = Math.ceil((2 * times.length) / MAX_TIMES);
  const starts = Array.from({ length: Math.ceil(times.length / size) }, (_, group) => group * size);
  const placesOf = (values: Values): readonly number[] => starts.flatMap((start) => extremes(values, start, size));
  const all = stacked ? placesOf(times.map((_, at) => sumAt(series, at))) : undefined;
  return {
    ...data,
    // Buckets are narrower than a pixel, so partial ones are not visible.
    step: undefined,
    times: starts.flatMap((start) => [times[start]!, times[Math.min(times.length - 1, start + (size >> 1))]!]),
    series: series.map(({ name, values }) => ({
      name,
      values: (all ?? placesOf(values)).map((place) => values[place] ?? null),
    })),
  };
}

/** Positions of the minimum and the maximum, in order. */
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
