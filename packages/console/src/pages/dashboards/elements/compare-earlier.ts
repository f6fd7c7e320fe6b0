import type { SeriesData } from '../../../charts/series-data.js';

type Times = Extract<SeriesData, { readonly kind: 'times' }>;

/** Overlays series of an earlier time on the current ones, under their own names. */
export function withEarlier(
  now: Times,
  before: SeriesData,
  by: number,
  title: string,
): { readonly data: Times; readonly names: ReadonlyMap<string, string> } {
  if (before.kind !== 'times') return { data: now, names: new Map() };
  const moved = before.times.map((at) => at + by);
  const times = [...new Set([...now.times, ...moved])].sort((a, b) => a - b);
  const spread = (from: readonly number[], values: readonly (number | null)[]): (number | null)[] => {
    const byTime = new Map(from.map((at, index) => [at, values[index] ?? null]));
    return times.map((at) => byTime.get(at) ?? null);
  };
  const old = before.series.map(({ name, values }) => ({ name: `${name} (${title})`, values: spread(moved, values) }));
  return {
    data: {
      ...now,
      times,
      series: [...now.series.map(({ name, values }) => ({ name, values: spread(now.times, values) })), ...old],
    },
    names: new Map(old.map(({ name }, index) => [name, before.series[index]!.name])),
  };
}
