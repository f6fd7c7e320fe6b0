import { compile, jsonOfTag } from '@millrace/mpl';
import { mplError } from './mpl-error.js';
import type { MplOutcome } from './run-mpl.js';

/** Queries in MPL that are stored and run without a request, as those of monitors. */

const hour = 3_600_000;

/** Points of a chart of so many minutes whose windows are at least a minute long. */
export const pointsOfMinutes = (minutes: number): number => Math.min(100, Math.max(1, Math.floor(minutes)));

/**
 * Compiles a query that runs with a time range. The dataset may be created later.
 * @param now milliseconds since the epoch
 * @throws HttpError `invalid-query`, with the positions of the errors
 */
export function checkMpl(text: string, now: number): void {
  const compiled = compile(text, { now, range: { start: now - hour, end: now } });
  if (compiled.kind === 'failed') throw mplError(text, compiled.diagnostics);
}

/** Whether a text is a query in MPL. No query in APL is: none begins with `dataset:metric`. */
export const isMpl = (text: string): boolean =>
  compile(text, { now: 0, range: { start: 0, end: hour } }).kind === 'compiled';

/** The values of all series, one row each. */
export interface MetricRows {
  readonly dataset: string;
  /** Metric of the first series. */
  readonly metric: string;
  readonly tags: readonly { readonly name: string; readonly values: readonly unknown[] }[];
  /** RFC 3339. */
  readonly times: readonly string[];
  readonly values: readonly number[];
  /** Width of the windows, milliseconds. */
  readonly step: number;
}

/** Rows of a result, without gaps. */
export function metricRows({ plan, frame: { grid, series } }: MplOutcome): MetricRows {
  const names = [...new Set(series.flatMap(({ tags }) => [...tags.keys()]))].toSorted();
  const rows = series.flatMap((one) => {
    const tags = names.map((name) => {
      const tag = one.tags.get(name);
      return tag === undefined ? null : jsonOfTag(tag);
    });
    return [...one.values].flatMap((value, window) =>
      Number.isFinite(value) ? [{ tags, value, time: new Date(grid.start + window * grid.step).toISOString() }] : [],
    );
  });
  return {
    dataset: plan.dataset,
    metric: series[0]?.metric ?? '',
    tags: names.map((name, column) => ({ name, values: rows.map(({ tags }) => tags[column]) })),
    times: rows.map(({ time }) => time),
    values: rows.map(({ value }) => value),
    step: grid.step,
  };
}
