import type { AnswerOf } from '@millrace/client';
import type { ChartRun } from '../../charts/run-states.js';
import { roughDuration } from '../../data/format-units.js';
import { numberIn, type Draft } from './draft.js';

/** Back-test results from the server, re-evaluated locally while the threshold moves. */

export type Preview = AnswerOf<'previewMonitor'>;
type PreviewRun = Preview['runs'][number];

/** Ranges within the number of runs that a preview allows. */
export const spans = [
  { id: '6h', title: '6 h', minutes: 360 },
  { id: '1d', title: '1 d', minutes: 1440 },
  { id: '3d', title: '3 d', minutes: 4320 },
  { id: '7d', title: '7 d', minutes: 10_080 },
] as const;
export type SpanId = (typeof spans)[number]['id'];

/** The longest that takes seconds, not minutes: each run is a query. */
export function spanFor(intervalMinutes: number): SpanId {
  return (spans.findLast(({ minutes }) => minutes / intervalMinutes <= 150) ?? spans[0]).id;
}

export const previewRuns = (runs: readonly PreviewRun[]): readonly ChartRun[] =>
  runs.map(({ time, state, value, error }) => ({ time: Date.parse(time), state, value, problem: error }));

/**
 * Re-evaluates runs with another threshold: exact, because each run reports its minimum and
 * maximum. Undefined for groups, which fire individually, and anomalies, which have no threshold.
 */
export function reevaluateRuns(runs: readonly PreviewRun[], draft: Draft): readonly ChartRun[] | undefined {
  const threshold = numberIn(draft.threshold);
  if (draft.type !== 'Threshold' || draft.notifyByGroup || threshold === undefined) return undefined;
  const last = numberIn(draft.triggerFromNRuns) || 1;
  const needed = numberIn(draft.triggerAfterNPositiveResults) || last;
  const below = draft.operator.startsWith('Below');
  const recovery = numberIn(draft.recoveryThreshold) ?? threshold;
  const kept = (numberIn(draft.keepFiringMinutes) ?? 0) * 60_000;
  let violated = -Infinity;
  let recent: readonly boolean[] = [];
  let state: 'ok' | 'open' | 'nodata' = 'ok';
  return runs.map(({ time, error, min, max }) => {
    const run = { time: Date.parse(time), value: below ? min : max };
    if (error !== undefined) return { ...run, state: 'error', problem: error };
    const extreme = run.value;
    const noData = extreme === undefined && draft.alertOnNoData;
    const positive = extreme === undefined ? noData : violates(extreme, draft.operator, threshold);
    recent = [...recent, positive].slice(-last);
    if (positive) violated = run.time;
    const hasRecovered = extreme === undefined || !violates(extreme, draft.operator, recovery);
    if (!positive) state = state === 'open' && (!hasRecovered || run.time - violated < kept) ? 'open' : 'ok';
    else if (state !== 'ok' || recent.filter(Boolean).length >= needed) state = noData ? 'nodata' : 'open';
    return { ...run, state };
  });
}

function violates(value: number, operator: Draft['operator'], threshold: number): boolean {
  switch (operator) {
    case 'Above':
    case 'AboveOrBelow':
      return value > threshold;
    case 'AboveOrEqual':
      return value >= threshold;
    case 'Below':
      return value < threshold;
    case 'BelowOrEqual':
      return value <= threshold;
    default:
      return operator satisfies never;
  }
}

interface FiringSummary {
  readonly times: number;
  readonly total: number;
  readonly longest: number;
}

/** How often it would have fired, and for how long, in milliseconds. */
export function firedIn(runs: readonly ChartRun[], interval: number): FiringSummary {
  let [times, total, longest, present] = [0, 0, 0, 0];
  let before = false;
  for (const { state } of runs) {
    // A failed run neither fires nor resolves.
    const open: boolean = state === 'error' ? before : state === 'open' || state === 'nodata';
    if (open && !before) times++;
    present = open ? present + interval : 0;
    if (open) total += interval;
    longest = Math.max(longest, present);
    before = open;
  }
  return { times, total, longest };
}

/** `Would have fired 3 ×, 41 min in total; longest 17 min`. */
export function firedText({ times, total, longest }: FiringSummary): string {
  if (times === 0) return 'Would not have fired';
  const once = times === 1 ? 'Would have fired once' : `Would have fired ${times} ×`;
  return times === 1
    ? `${once}, for ${durationText(total)}`
    : `${once}, ${durationText(total)} in total; longest ${durationText(longest)}`;
}

interface Verdict {
  /** Belongs to a draft that has changed since, so it says nothing about the current one. */
  readonly stale: boolean;
  readonly text: string;
  readonly note: string;
}

/** Result of a back-test in words. A stale one has no result. */
export function verdictOf({
  runs,
  interval,
  isCurrent,
  isRunning,
  complete,
}: {
  /** Runs of the current draft: from the server, or re-evaluated. */
  readonly runs: readonly ChartRun[];
  readonly interval: number;
  /** Whether the runs belong to the current draft. */
  readonly isCurrent: boolean;
  readonly isRunning: boolean;
  /** Whether the preview covers the whole range. */
  readonly complete: boolean;
}): Verdict {
  if (!isCurrent)
    return isRunning
      ? { stale: true, text: 'Running the back-test…', note: '' }
      : { stale: true, text: 'Out of date', note: 'The monitor has changed. Run the back-test again.' };
  const note = isRunning
    ? 'updating…'
    : complete
      ? `in ${runs.length} runs`
      : `in ${runs.length} runs; a back-test of the whole range is too long`;
  return { stale: false, text: firedText(firedIn(runs, interval)), note };
}

/** Minutes up to two hours, then hours and minutes. */
function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return roughDuration(milliseconds);
  return minutes < 120
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}

/** The percentile of run values on the normal side, with as many digits as the button shows. */
export function suggestedThreshold(runs: readonly PreviewRun[], operator: Draft['operator']): number | undefined {
  const below = operator.startsWith('Below');
  const values = runs.flatMap(({ min, max }) => (below ? min : max) ?? []).sort((a, b) => a - b);
  if (values.length === 0) return undefined;
  const place = below ? Math.floor(0.01 * (values.length - 1)) : Math.ceil(0.99 * (values.length - 1));
  return values[place] === undefined ? undefined : roundAway(values[place], below);
}

const DIGITS = 6;

/** Rounds a fraction to `DIGITS` digits, never onto its firing side. */
function roundAway(value: number, below: boolean): number {
  if (Number.isInteger(value)) return value;
  const rounded = Number(value.toPrecision(DIGITS));
  if (below ? rounded <= value : rounded >= value) return rounded;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - DIGITS);
  return Number((rounded + (below ? -step : step)).toPrecision(DIGITS));
}
