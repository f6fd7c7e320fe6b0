import { BoundExceeded, metricsBounds } from '../model/bounds.js';
import type { AlignFunction } from '../model/functions.js';
import type { Node, Plan, Range, Step } from '../plan/plan.js';
import { tagsKey } from '../tags.js';
import { align } from './align.js';
import { bucket } from './bucket.js';
import { compute } from './compute.js';
import { extend } from './extend.js';
import { group } from './group.js';
import { map } from './map.js';
import { type Frame, type Grid, gridOf, type Series } from './series.js';

export type FetchNode = Extract<Node, { readonly kind: 'fetch' }>;

/** What to read of a source: all points of a range, or values of windows. */
export type Reading = { readonly range: Range } & (
  | { readonly kind: 'points' }
  | { readonly kind: 'windows'; readonly grid: Grid; readonly fn: Exclude<AlignFunction, 'prom::rate'> }
);

/** Reads the series of a source; times are those in the storage. */
type ReadSeries = (node: FetchNode, reading: Reading) => Promise<readonly Series[]>;

/** Longest time before the range in which the last point of a series is looked for. */
const lookBack = 300_000;

/**
 * Evaluates a plan: reads the series of its sources, and applies the steps to them.
 * @throws BoundExceeded, ComputeProblem, ExtendProblem
 */
export async function run({ root, interval }: Plan, read: ReadSeries): Promise<Frame & { readonly grid: Grid }> {
  const frame = gridded(await evaluate(root, interval, read), interval);
  if (frame.series.length > metricsBounds.answeredSeries.max)
    throw new BoundExceeded(metricsBounds.answeredSeries, 'group by fewer tags or filter the series');
  const series = frame.series
    .map((each) => ({ each, key: tagsKey(each.tags) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ each }) => each);
  return { ...frame, series };
}

async function evaluate(node: Node, interval: number, read: ReadSeries): Promise<Frame> {
  if (node.kind === 'fetch') return fetched(node, interval, read);
  const [left, right] = await Promise.all([node.left, node.right].map((one) => evaluate(one, interval, read)));
  const both = compute(gridded(left!, interval), gridded(right!, interval), node.fn, node.name);
  return node.steps.reduce((frame, step) => applied(frame, step, interval), both);
}

async function fetched(node: FetchNode, interval: number, read: ReadSeries): Promise<Frame> {
  const { range, steps, offset } = node;
  const [first, ...rest] = firstStep(steps, interval);
  const stored = { start: range.start + offset, end: range.end + offset };
  const windows =
    first?.kind === 'align' && first.fn !== 'prom::rate' ? { fn: first.fn, width: first.width } : undefined;
  if (windows !== undefined && offset % (windows.width ?? 1) === 0) {
    const grid = gridOf(range, windows.width);
    const reading = {
      kind: 'windows',
      grid: { ...grid, start: grid.start + offset },
      fn: windows.fn,
      range: stored,
    } as const;
    const series = moved(await read(node, reading), offset);
    return rest.reduce((frame, step) => applied(frame, step, interval), { grid, range, series } as Frame);
  }
  const before = Math.max(lookBack, first?.kind === 'align' || first?.kind === 'bucket' ? (first.width ?? 0) : 0);
  const points = await read(node, { kind: 'points', range: { start: stored.start - before, end: stored.end } });
  const frame: Frame = { grid: undefined, range, series: moved(points, offset) };
  if (first === undefined) return frame;
  const result = applied(frame, first, interval);
  return rest.reduce(
    (each, step) => applied(each, step, interval),
    result.grid === undefined ? within(result) : result,
  );
}

/** The steps; values of points that no step combines are those of windows. */
function firstStep(steps: readonly Step[], interval: number): readonly Step[] {
  const [first] = steps;
  const needsGrid = first === undefined || first.kind === 'group' || first.kind === 'as' || first.kind === 'extend';
  return needsGrid ? [{ kind: 'align', width: interval, fn: 'last' }, ...steps] : steps;
}

const moved = (series: readonly Series[], offset: number): readonly Series[] =>
  offset === 0 ? series : series.map((each) => ({ ...each, times: each.times.map((time) => time - offset) }));

/** Without the points before the range, which only rates need. */
const within = (frame: Frame): Frame => ({
  ...frame,
  series: frame.series.map((each) => {
    const from = each.times.findIndex((time) => time >= frame.range.start);
    const at = from < 0 ? each.times.length : from;
    return { ...each, times: each.times.slice(at), values: each.values.slice(at) };
  }),
});

function applied(frame: Frame, step: Step, interval: number): Frame {
  switch (step.kind) {
    case 'map':
      return map(frame, step.fn, step.argument);
    case 'align':
      return align(frame, step.width, step.fn);
    case 'group':
      return group(gridded(frame, interval), step.by, step.fn);
    case 'bucket':
      return bucket(frame, step);
    case 'as':
      return { ...frame, series: frame.series.map((each) => ({ ...each, metric: step.name })) };
    case 'extend':
      return extend(frame, step.tags);
  }
}

/** The last value of each window, for a step that needs windows. */
function gridded(frame: Frame, interval: number): Frame & { readonly grid: Grid } {
  const { grid } = frame;
  if (grid !== undefined) return { ...frame, grid };
  const aligned = align(frame, interval, 'last');
  return { ...aligned, grid: aligned.grid! };
}
