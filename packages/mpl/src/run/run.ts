import { BoundExceeded, metricsBounds } from '../model/bounds.js';
import type { AlignFunction } from '../model/functions.js';
import { bytesOf, type Work } from '../model/work.js';
import type { Node, Plan, Range, Step } from '../plan/plan.js';
import { tagsKey } from '../tags.js';
import { align } from './align.js';
import { bucket } from './bucket.js';
import { compute } from './compute.js';
import { extend } from './extend.js';
import { group } from './group.js';
import { map } from './map.js';
import { type Frame, type Grid, gridOf, type Series, type Steps } from './series.js';

export type FetchNode = Extract<Node, { readonly kind: 'fetch' }>;

/** What to read of a source: the points of a range, or values of windows over those points. */
export type ReadRequest = { readonly range: Range } & (
  | { readonly kind: 'points' }
  | { readonly kind: 'windows'; readonly grid: Grid; readonly fn: AlignFunction }
);

/** Reads the series of a source; times are those in the storage. */
type ReadSeries = (node: FetchNode, reading: ReadRequest) => Promise<readonly Series[]>;

/** Longest time before the range in which the last point of a series is looked for. */
const lookBack = 300_000;

/** How a plan is evaluated. */
export interface RunOptions {
  readonly read: ReadSeries;
  readonly work: Work;
  /** Takes steps, and lets others run in between. */
  readonly take: <T>(steps: Steps<T>) => Promise<T>;
}

/**
 * Evaluates a plan: reads the series of its sources, and applies the steps to them.
 * @throws BoundExceeded, WorkExceeded, ComputeProblem, ExtendProblem
 */
export async function run({ root, interval }: Plan, options: RunOptions): Promise<Frame & { readonly grid: Grid }> {
  const { work, take } = options;
  const found = await evaluate(root, interval, options);
  const frame = await take(gridFrame(found, interval, work));
  if (frame.series.length > metricsBounds.answeredSeries.max)
    throw new BoundExceeded(metricsBounds.answeredSeries, 'group by fewer tags or filter the series');
  const series = frame.series
    .map((each) => ({ each, key: tagsKey(each.tags) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ each }) => each);
  return { ...frame, series };
}

async function evaluate(node: Node, interval: number, options: RunOptions): Promise<Frame> {
  if (node.kind === 'fetch') return fetchFrame(node, interval, options);
  const { work, take } = options;
  const left = await take(gridFrame(await evaluate(node.left, interval, options), interval, work));
  const right = await take(gridFrame(await evaluate(node.right, interval, options), interval, work));
  return applyAll(await take(compute(left, right, node.fn, node.name, work)), node.steps, interval, options);
}

async function applyAll(frame: Frame, steps: readonly Step[], interval: number, options: RunOptions): Promise<Frame> {
  let result = frame;
  for (const step of steps) result = await apply(result, step, interval, options);
  return result;
}

/** Applies a step; the series before it become garbage. */
async function apply(frame: Frame, step: Step, interval: number, { work, take }: RunOptions): Promise<Frame> {
  const others = work.bytes - sizeOf(frame);
  const result = await take(applyStep(frame, step, interval, work));
  work.setBytes(Math.max(0, others) + sizeOf(result));
  return result;
}

const sizeOf = ({ grid, series }: Frame): number =>
  bytesOf(
    grid === undefined ? 'point' : 'value',
    series.map(({ values }) => values.length),
  );

async function fetchFrame(node: FetchNode, interval: number, options: RunOptions): Promise<Frame> {
  const { read } = options;
  const { range, steps, offset } = node;
  const [first, ...rest] = firstStep(steps, interval);
  const stored = { start: range.start + offset, end: range.end + offset };
  const before = Math.max(lookBack, first?.kind === 'align' || first?.kind === 'bucket' ? (first.width ?? 0) : 0);
  const withBefore = { start: stored.start - before, end: stored.end };
  const windows = first?.kind === 'align' ? { fn: first.fn, width: first.width } : undefined;
  if (windows !== undefined && offset % (windows.width ?? 1) === 0) {
    const grid = gridOf(range, windows.width);
    const reading = {
      kind: 'windows',
      grid: { ...grid, start: grid.start + offset },
      fn: windows.fn,
      range: windows.fn === 'prom::rate' ? withBefore : stored,
    } as const;
    const series = moveSeries(await read(node, reading), offset);
    return applyAll({ grid, range, series }, rest, interval, options);
  }
  const points = await read(node, { kind: 'points', range: withBefore });
  const frame: Frame = { grid: undefined, range, series: moveSeries(points, offset) };
  if (first === undefined) return frame;
  const result = await apply(frame, first, interval, options);
  return applyAll(result.grid === undefined ? within(result) : result, rest, interval, options);
}

/** The steps; values of points that no step combines are those of windows. */
function firstStep(steps: readonly Step[], interval: number): readonly Step[] {
  const [first] = steps;
  const needsGrid = first === undefined || first.kind === 'group' || first.kind === 'as' || first.kind === 'extend';
  return needsGrid ? [{ kind: 'align', width: interval, fn: 'last' }, ...steps] : steps;
}

const moveSeries = (series: readonly Series[], offset: number): readonly Series[] =>
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

function* applyStep(frame: Frame, step: Step, interval: number, work: Work): Steps<Frame> {
  switch (step.kind) {
    case 'map':
      return yield* map(frame, step.fn, step.argument, work);
    case 'align':
      return yield* align(frame, step.width, step.fn, work);
    case 'group':
      return yield* group(yield* gridFrame(frame, interval, work), step.by, step.fn, work);
    case 'bucket':
      return yield* bucket(frame, step, work);
    case 'as':
      return { ...frame, series: frame.series.map((each) => ({ ...each, metric: step.name })) };
    case 'extend':
      return yield* extend(frame, step.tags, work);
  }
}

/** The last value of each window, for a step that needs windows. */
function* gridFrame(frame: Frame, interval: number, work: Work): Steps<Frame & { readonly grid: Grid }> {
  const { grid } = frame;
  if (grid !== undefined) return { ...frame, grid };
  const aligned = yield* align(frame, interval, 'last', work);
  return { ...aligned, grid: aligned.grid! };
}
