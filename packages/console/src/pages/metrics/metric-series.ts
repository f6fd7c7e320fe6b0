import type { SeriesData } from '../../charts/series-data.js';
import type { MplAnswer } from '../../data/metrics/metrics-api.js';

/** Result of an MPL query in drawable form. */

export type Tags = Readonly<Record<string, unknown>>;

interface MetricSeries {
  readonly data: Extract<SeriesData, { readonly kind: 'times' }>;
  /** Tags of the drawn series, by name. */
  readonly tags: ReadonlyMap<string, Tags>;
}

/** More lines are indistinguishable; the rest is counted. */
const MAX_SERIES = 100;

/** The largest series, with times in milliseconds. */
export function metricSeries({ result: { series }, asked }: MplAnswer): MetricSeries {
  const [first] = series;
  const step = (first?.resolution ?? 60) * 1000;
  const ranked = series
    .map((each) => ({ ...each, total: each.data.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0) }))
    .toSorted((a, b) => b.total - a.total)
    .slice(0, MAX_SERIES);
  const named = namesOf(ranked);
  return {
    data: {
      kind: 'times',
      times: (first?.data ?? []).map((_, index) => first!.start * 1000 + index * step),
      series: ranked.map(({ data }, index) => ({ name: named[index]!, values: data })),
      left: Math.max(0, series.length - MAX_SERIES),
      step,
      ...(asked !== undefined && { asked, range: asked }),
    },
    tags: new Map(ranked.map(({ tags }, index) => [named[index]!, tags])),
  };
}

/** A series is named by the tags in which it differs, and by its metric if metrics differ. */
function namesOf(series: readonly { readonly metric: string; readonly tags: Tags }[]): readonly string[] {
  const tags = [...new Set(series.flatMap((each) => Object.keys(each.tags)))].toSorted();
  const differs = (valueOf: (each: (typeof series)[number]) => string): boolean =>
    new Set(series.map(valueOf)).size > 1;
  const varied = tags.filter((tag) => differs(({ tags }) => tagText(tags[tag])));
  const withMetric = differs(({ metric }) => metric);
  const [only] = varied.length === 1 ? varied : [];
  return series.map(({ metric, tags }) => {
    const own =
      only === undefined
        ? varied.filter((tag) => tag in tags).map((tag) => `${tag}=${tagText(tags[tag])}`)
        : [tagText(tags[only])];
    const parts = [...(withMetric || varied.length === 0 ? [metric] : []), ...own];
    return parts.join(' · ') || '(no tags)';
  });
}

/** The value of a tag as text. */
export const tagText = (value: unknown): string =>
  value === undefined ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value);
