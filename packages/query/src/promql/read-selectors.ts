import {
  anyPointsStatement,
  BoundExceeded,
  endsOf,
  latestStatement,
  metricsBounds,
  type Selection,
  windowStatement,
} from '@millrace/mpl';
import {
  type GridSeries,
  type Labels,
  labelsKey,
  type PointSeries,
  type Selector,
  type SelectorRead,
} from '@millrace/promql';
import { readWindows } from '../mpl/read-windows.js';
import { type DescribedSeries, describeSeries, readPoints, type StoredMetrics } from '../mpl/stored-series.js';
import { selectionOf } from './selection.js';
import { labelsOfStored } from './stored-labels.js';

/** Metrics named in a statement; for more, it reads those of all metrics. */
const mostNamed = 1000;
/** Values of windows that the engine computes at once: each takes tens of bytes there. */
const mostComputed = 4_000_000;
/**
 * A shorter step has hardly more points than values, and then points cost less; so many points that
 * they could exceed the bound do not. Points are expected at this interval.
 */
const shortestStep = 30_000;
const expectedInterval = 15_000;

const remedy = 'select fewer series or shorten the time range';

/** The series of a selector. */
interface SelectedSeries {
  readonly points: readonly PointSeries[];
  /** Series whose windows the engine computed instead. */
  readonly computed: readonly GridSeries[];
}

/** The series of all selectors. */
interface ReadSeries {
  readonly points: ReadonlyMap<Selector, readonly PointSeries[]>;
  readonly computed: ReadonlyMap<Selector, readonly GridSeries[]>;
}

/**
 * Reads the series of selectors one after the other; equal reads once.
 * @throws BoundExceeded, EngineError
 */
export async function readSelectors(reads: readonly SelectorRead[], stored: StoredMetrics): Promise<ReadSeries> {
  const done = new Map<string, SelectedSeries>();
  const [allPoints, allComputed] = [
    new Map<Selector, readonly PointSeries[]>(),
    new Map<Selector, readonly GridSeries[]>(),
  ];
  let count = 0;
  for (const read of reads) {
    const { selector, range, latest, windows, computed } = read;
    const key = JSON.stringify([selector.matchers, range, latest, windows, computed]);
    const series = done.get(key) ?? (await readSelector(read, stored));
    if (!done.has(key)) count += series.points.reduce((sum, { times }) => sum + times.length, 0);
    if (count > metricsBounds.points.max) throw new BoundExceeded(metricsBounds.points, remedy);
    done.set(key, series);
    allPoints.set(selector, series.points);
    allComputed.set(selector, series.computed);
  }
  return { points: allPoints, computed: allComputed };
}

/** A stored series and its labels. */
interface LabeledSeries {
  readonly id: string;
  readonly labels: Labels;
  readonly key: string;
}

async function readSelector(read: SelectorRead, stored: StoredMetrics): Promise<SelectedSeries> {
  const { selector, range } = read;
  const selection = selectionOf(selector.matchers);
  // The start is inclusive here, and the end exclusive.
  const between = { start: range.start + 1, end: range.end + 1 };
  const described = await describeSeries(selection, between, stored);
  if (described.length === 0) return { points: [], computed: [] };
  const narrowed = nameSelection(selection, [...new Set(described.map(({ metric }) => metric))]);
  const series = described.map(labeledSeries);
  return (
    (await readComputed(read, series, narrowed, stored)) ?? {
      points: await readAllPoints(read, series, narrowed, stored),
      computed: [],
    }
  );
}

function labeledSeries(one: DescribedSeries): LabeledSeries {
  const labels = labelsOfStored(one);
  return { id: one.id, labels, key: labelsKey(labels) };
}

/** The windows that the engine computes, and the points of series for which it cannot. */
async function readComputed(
  read: SelectorRead,
  series: readonly LabeledSeries[],
  selection: Selection,
  stored: StoredMetrics,
): Promise<SelectedSeries | undefined> {
  const { computed, range } = read;
  if (computed === undefined) return undefined;
  const { fn, windows } = computed;
  if (windows.length > metricsBounds.windows.max || series.length * windows.length > mostComputed) return undefined;
  const expectedPoints = (series.length * (range.end - range.start)) / expectedInterval;
  const isShort = windows.length > 1 && windows.step < shortestStep;
  if (isShort && expectedPoints < metricsBounds.points.max / 2) return undefined;
  const between = { start: range.start + 1, end: range.end + 1 };
  const statement = windowStatement(selection, between, windows, fn, stored.from, true);
  const { values, irregular } = await readWindows(statement, stored);
  const needPoints = new Set(irregular);
  for (const { id } of sharedLabels(series)) needPoints.add(id);
  const found = series.flatMap(({ id, labels, key }) => {
    const own = needPoints.has(id) ? undefined : values.get(id);
    return own === undefined ? [] : [{ key, series: gridSeries(labels, own) }];
  });
  const others = series.filter(({ id }) => needPoints.has(id));
  const ids = others.map(({ id }) => id);
  return {
    computed: found.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((one) => one.series),
    points: others.length === 0 ? [] : await readAllPoints(read, others, { ...selection, ids }, stored),
  };
}

/** Series with equal labels, whose points are merged: their tags differ only in their types. */
function sharedLabels(series: readonly LabeledSeries[]): readonly LabeledSeries[] {
  const counts = new Map<string, number>();
  for (const { key } of series) counts.set(key, (counts.get(key) ?? 0) + 1);
  return series.filter(({ key }) => counts.get(key)! > 1);
}

function gridSeries(labels: Labels, values: Float64Array): GridSeries {
  const absent = endsOf(values);
  return { labels, values, present: absent?.map((one) => 1 - one) ?? new Uint8Array(values.length).fill(1) };
}

async function readAllPoints(
  { range, latest, windows }: SelectorRead,
  series: readonly LabeledSeries[],
  selection: Selection,
  stored: StoredMetrics,
): Promise<readonly PointSeries[]> {
  const between = { start: range.start + 1, end: range.end + 1 };
  const statement =
    latest === undefined
      ? anyPointsStatement(selection, between, stored.from, windows)
      : latestStatement(selection, between, latest, stored.from);
  const points = await readPoints(statement, stored, remedy);
  return inOrder(
    series.flatMap(({ id, labels }): readonly PointSeries[] => {
      const own = points.get(id);
      if (own === undefined) return [];
      const ends = endsOf(own.values);
      return [{ labels, ...own, ...(ends !== undefined && { ends }) }];
    }),
  );
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
