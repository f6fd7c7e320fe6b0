import type { QueryContext } from '../bind/context.js';
import type { CompiledQuery, CompileOptions, LimitApplied, Presentation } from '../compiled-query.js';
import { allTimes } from '../lower/relations/scan.js';
import type { Plan, TimeRange } from '../plan/nodes.js';
import type { ColumnId } from '../plan/scalar.js';
import { hiddenArrival, idsOf } from '../plan/schema.js';
import { intersectRanges } from '../plan/intersect-ranges.js';
import { type AxisRange, fixAxes } from './axes.js';
import { automaticSize, fixBins } from './bins.js';
import { dayFirstTexts } from './day-first.js';
import { aggregatesWhatMatches, countedPlans } from './counts.js';
import type { CountPlans } from './counts.js';
import { flatUnions } from './flat-unions.js';
import { latestFirst } from './latest.js';
import { capRows } from './limits.js';
import { continuationOf, continueAfter, dependsOnOrder } from './paging.js';
import { presentationOf } from './presentation.js';
import { prune } from './prune.js';
import { limitSeries, limitsSeries } from './series-top.js';
import { narrowTimeRange } from './time-range.js';
import { totalsOf } from './totals.js';
import { intoUnions } from './union-down.js';
import { hoistWindows } from './windows.js';
import { SECOND } from '../model/nanoseconds.js';

/** Plans that are ready for lowering, and properties of the result. */
export interface PlannedQuery {
  readonly plan: Plan;
  readonly totals?: Plan;
  /**
   * A column of the plan that is not in its schema: the ingest time, if it was requested and is not
   * among the fields.
   */
  readonly arrival?: ColumnId;
  readonly counted: readonly CountPlans[];
  /** Each finds a text that puts the day first where others are read with the month first. */
  readonly dayFirst: readonly Plan[];
  /** Whether all rows that match, and no others, are aggregated. */
  readonly aggregatesMatched: boolean;
  readonly timeRange: TimeRange;
  /** Like `timeRange`, but an open end is limited to the time of the newest event. */
  readonly window: TimeRange;
  readonly presentation: Presentation;
  readonly continuation?: NonNullable<CompiledQuery['continuation']>;
  readonly tiesAsSent: boolean;
  readonly limitApplied?: LimitApplied;
}

/** Runs the passes, each a function from plan to plan, in the one order that works. */
export function planAnswer(bound: Plan, query: QueryContext, options: CompileOptions): PlannedQuery {
  const { impliedEnd = options.now } = options;
  const times = options.eventTimes === 'ask' ? undefined : options.eventTimes;
  const { plan: narrowed, range, implicitEnd } = narrowTimeRange(flatUnions(bound), options.range, impliedEnd);
  if (implicitEnd) {
    query.needs.add('clock');
    query.report.warning('implicit_end', { start: 0, end: 0 }, "implicit end time of 'now' applied");
  }
  const hoisted = hoistWindows(narrowed, (name) => query.fresh(name));
  const axis: AxisRange = {
    range,
    events: times && intersectRanges(range, times),
    readsEvents: query.datasets.size > 0,
    isOpen: { start: range.start === allTimes.start, end: range.end === allTimes.end },
  };
  const sized = fixBins(hoisted, automaticSize(intersectRanges(range, times), options.maxBinAutoGroups));
  const fixed = fixAxes(sized, axis, query.report);
  const binned = limitSeries(fixed);
  const presentation = presentationOf(binned, range);
  const continuation = continuationOf(binned);
  const totals = totalsOf(binned);
  const paged =
    options.paging === undefined ? binned : continueAfter(binned, options.paging.after, options.paging.inclusive);
  if (paged === undefined)
    query.report.warning(
      'note',
      { start: 0, end: 0 },
      'the cursor has no effect: rows are not events in the order of time',
    );
  const capped = capRows(paged ?? binned, options);
  const counted = countedPlans(intoUnions(fixed));
  const filtered = counted.some(({ examined, matched }) => examined !== matched);
  const arrival = options.rowIds === true && options.arrivals === true ? hiddenArrival(capped.plan.schema) : undefined;
  const plan = keepNeeded(latestFirst(intoUnions(capped.plan)), arrival);
  return {
    plan,
    ...(totals === undefined ? {} : { totals: keepNeeded(intoUnions(capRows(totals, options).plan)) }),
    ...(arrival === undefined ? {} : { arrival }),
    counted,
    dayFirst: query.datasets.size === 0 ? [] : dayFirstTexts(fixed, (name) => query.fresh(name)),
    aggregatesMatched: filtered && !limitsSeries(fixed) && aggregatesWhatMatches(plan),
    timeRange: range,
    window: windowOf(axis),
    presentation,
    ...(continuation === undefined ? {} : { continuation }),
    tiesAsSent: continuation === 'older' && options.continuesAfterRows !== true && !dependsOnOrder(binned),
    ...(capped.applied === undefined ? {} : { limitApplied: capped.applied }),
  };
}

/** At least a second long where the end is open, so that rates per second stay in proportion. */
function windowOf({ range, events, isOpen }: AxisRange): TimeRange {
  const start = isOpen.start && events !== undefined ? events.start : range.start;
  if (!isOpen.end || events === undefined) return { start, end: range.end };
  return { start, end: events.end - start > SECOND ? events.end : start + SECOND };
}

const keepNeeded = (plan: Plan, hidden?: ColumnId): Plan =>
  prune(plan, new Set([...idsOf(plan.schema), ...(hidden === undefined ? [] : [hidden])]));
