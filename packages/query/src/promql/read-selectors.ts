import {
  anyPointsStatement,
  BoundExceeded,
  endsOf,
  latestStatement,
  metricsBounds,
  type Selection,
} from '@millrace/mpl';
import { labelsKey, type PointSeries, type Selector, type SelectorRead } from '@millrace/promql';
import { describeSeries, readPoints, type StoredMetrics } from '../mpl/stored-series.js';
import { selectionOf } from './selection.js';
import { labelsOfStored } from './stored-labels.js';

/** Metrics named in a statement; for more, it reads those of all metrics. */
const mostNamed = 1000;

const remedy = 'select fewer series or shorten the time range';

/**
 * Reads the points of selectors one after the other; equal reads once.
 * @throws BoundExceeded, EngineError
 */
export async function readSelectors(
  reads: readonly SelectorRead[],
  stored: StoredMetrics,
): Promise<ReadonlyMap<Selector, readonly PointSeries[]>> {
  const done = new Map<string, readonly PointSeries[]>();
  const found = new Map<Selector, readonly PointSeries[]>();
  let points = 0;
  for (const read of reads) {
    const { selector, range, latest, windows } = read;
    const key = JSON.stringify([selector.matchers, range, latest, windows]);
    const series = done.get(key) ?? (await readSelector(read, stored));
    if (!done.has(key)) points += series.reduce((sum, { times }) => sum + times.length, 0);
    if (points > metricsBounds.points.max) throw new BoundExceeded(metricsBounds.points, remedy);
    done.set(key, series);
    found.set(selector, series);
  }
  return found;
}

async function readSelector(
  { selector, range, latest, windows }: SelectorRead,
  stored: StoredMetrics,
): Promise<readonly PointSeries[]> {
  const selection = selectionOf(selector.matchers);
  // The start is inclusive here, and the end exclusive.
  const between = { start: range.start + 1, end: range.end + 1 };
  const described = await describeSeries(selection, between, stored);
  if (described.length === 0) return [];
  const narrowed = nameSelection(selection, [...new Set(described.map(({ metric }) => metric))]);
  const statement =
    latest === undefined
      ? anyPointsStatement(narrowed, between, stored.from, windows)
      : latestStatement(narrowed, between, latest, stored.from);
  const points = await readPoints(statement, stored, remedy);
  const series = described.flatMap((one): readonly PointSeries[] => {
    const own = points.get(one.id);
    if (own === undefined) return [];
    const ends = endsOf(own.values);
    return [{ labels: labelsOfStored(one), ...own, ...(ends !== undefined && { ends }) }];
  });
  return inOrder(series);
}

const nameSelection = (selection: Selection, metrics: readonly string[]): Selection =>
  selection.metric === undefined && metrics.length <= mostNamed ? { ...selection, metric: metrics } : selection;

/** By labels; series whose tags differ only in their types are one. */
function inOrder(series: readonly PointSeries[]): readonly PointSeries[] {
  const byKey = new Map<string, PointSeries>();
  for (const one of series) {
    const key = labelsKey(one.labels);
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? one : mergePoints(before, one));
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function mergePoints(a: PointSeries, b: PointSeries): PointSeries {
  const points = new Map<number, { readonly value: number; readonly end: number }>();
  for (const { times, values, ends } of [a, b])
    for (const [i, time] of times.entries()) points.set(time, { value: values[i]!, end: ends?.[i] ?? 0 });
  const order = [...points].toSorted(([one], [other]) => one - other);
  return {
    labels: a.labels,
    times: Float64Array.from(order, ([time]) => time),
    values: Float64Array.from(order, ([, { value }]) => value),
    ends: Uint8Array.from(order, ([, { end }]) => end),
  };
}
