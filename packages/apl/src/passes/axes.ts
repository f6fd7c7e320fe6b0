import { type AxisEnd, binsOf, MAX_BINS, timesOf, tooManyBins } from '../operators/grouping/make-series.js';
import type { Plan, TimeRange } from '../plan/nodes.js';
import { rewritePlan, rewriteScalars } from '../plan/rewrite.js';
import { constant, type Scalar } from '../plan/scalar.js';
import type { Report } from '../report.js';
import { floorTo } from '../model/floor.js';

/** Where the axis of a series gets its ends from. */
export interface AxisRange {
  /** The time range of the query. */
  readonly range: TimeRange;
  /** The part of it that has events, both ends inclusive; undefined until it has been looked up. */
  readonly events: TimeRange | undefined;
  /** Whether the query reads any dataset, so that a lookup is possible. */
  readonly readsEvents: boolean;
  readonly isOpen: { readonly start: boolean; readonly end: boolean };
}

/**
 * Gives `make-series` the ends that are not written, now that the time range is known: the ends of
 * the range or, where it is open, those of the events, with the start at a whole number of steps.
 */
export function fixAxes(plan: Plan, axis: AxisRange, report: Report): Plan {
  const isKnown = axis.events !== undefined || (!axis.isOpen.start && !axis.isOpen.end);
  const change = (scalar: Scalar): Scalar => {
    if (scalar.kind !== 'call') return scalar;
    if (isAxisEnd(scalar.name)) {
      const [step] = scalar.args;
      if (!axis.readsEvents && isOpen(scalar.name, axis)) report.error('argument_count', { start: 0, end: 0 }, noEnds);
      return constant('datetime', endOf(scalar.name, valueOf(step) ?? 1n, axis));
    }
    if (scalar.overload !== timesOf || !isKnown) return scalar;
    const bins = binsOf(scalar.args);
    if (bins !== undefined && bins > MAX_BINS) report.error('limit', { start: 0, end: 0 }, tooManyBins(bins));
    return scalar;
  };
  return rewritePlan(plan, (node) => rewriteScalars(node, change));
}

/** Over all times that can be stored, the series would be all zeros or end before any event. */
const noEnds =
  'make-series needs from and to here: the request has no time range, and no dataset is read that could give one';

const isOpen = (end: AxisEnd, { isOpen: { start, end: finish } }: AxisRange): boolean =>
  end === 'axis_from' ? start : finish;

const isAxisEnd = (name: string): name is AxisEnd => name === 'axis_from' || name === 'axis_to';

const valueOf = (scalar: Scalar | undefined): bigint | undefined =>
  scalar?.kind === 'constant' && typeof scalar.value === 'bigint' ? scalar.value : undefined;

function endOf(end: AxisEnd, step: bigint, { range, events, isOpen }: AxisRange): bigint {
  switch (end) {
    case 'axis_from':
      if (!isOpen.start || events === undefined) return range.start;
      return floorTo(events.start, step);
    case 'axis_to':
      return !isOpen.end || events === undefined ? range.end : events.end + 1n;
  }
}
