import type { Figure } from '../result.js';
import { median, middle, ratios, type Runs, relativeSpread } from '../statistics.js';

/** A value with three significant digits, or all its digits before the point if there are more. */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

const withSpread = (runs: Runs): string =>
  formatShort(median(runs)) + (runs.length > 1 ? ` ±${Math.round(relativeSpread(runs) * 100)}%` : '');

/** A goal and whether it was met. */
export interface GoalResult {
  /**
   * `×3.33`, the median of the runs' ratios to the yardstick; `2.02 ms` where the goal has no
   * yardstick.
   */
  readonly measured: string;
  /** `3.30 to 3.41`, the middle half of the values; empty if there are too few runs. */
  readonly middle: string;
  /** `≥ 2.5 × JSON type load`, `≤ 5 ms` */
  readonly goal: string;
  readonly met: boolean;
}

/** Judges every goal except those whose yardstick was not measured. */
export const judge = ({ unit, ours, against, goals = [] }: Figure): readonly GoalResult[] =>
  goals.flatMap(({ yardstick, atLeast, atMost }) => {
    const runs = against.find(({ name }) => name === yardstick)?.runs ?? [];
    if (yardstick !== undefined && runs.length === 0) return [];
    const values = yardstick === undefined ? ours : ratios(ours, runs);
    const value = median(values);
    const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    return {
      measured: yardstick === undefined ? `${formatShort(value)} ${unit}` : `×${formatShort(value)}`,
      middle: values.length < 3 ? '' : middle(values).map(formatShort).join(' to '),
      goal: yardstick === undefined ? `${limit} ${unit}` : `${limit} × ${yardstick}`,
      met: (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost),
    };
  });

/**
 * Formats a metric and its yardsticks as a few lines of text.
 * @param judged whether goals apply at this size
 */
export function figureLine(figure: Figure, judged = true): string {
  const { suite, name, unit, ours, against, others = {}, profile = [] } = figure;
  const theirs = against.map(({ name, runs, missing }) =>
    missing === undefined
      ? `${name} ${withSpread(runs)} (×${formatShort(median(ratios(ours, runs)))})`
      : `${name}: ${missing}`,
  );
  const goals = (judged ? judge(figure) : []).map(({ goal, met }) => `goal ${goal}: ${met ? 'met' : 'MISSED'}`);
  const hottest = profile.slice(0, 3).map(({ name, share }) => `${name} ${percent(share)}`);
  const more = Object.entries(others).map(([name, value]) => `${name} ${formatShort(value)}`);
  return [
    `${suite} | ${name}: ${withSpread(ours)} ${unit}`,
    ...(theirs.length > 0 ? [theirs.join(' · ')] : []),
    ...goals,
    ...(more.length > 0 ? [more.join(', ')] : []),
    ...(hottest.length > 0 ? [`most of it: ${hottest.join(', ')}`] : []),
  ].join('\n    ');
}

/** Writes a table: its head and its rows. */
export type Render = (head: readonly string[], rows: readonly (readonly string[])[]) => string;

/**
 * All figures of a suite as a table: one column per yardstick, with the ratio to it in parentheses.
 */
export function figureTable(figures: readonly Figure[], render: Render): string {
  const names = [...new Set(figures.flatMap(({ against }) => against.map(({ name }) => name)))];
  const rows = figures.map((figure) => [
    figure.name,
    `${withSpread(figure.ours)} ${figure.unit}`,
    ...names.map((name) => {
      const yardstick = figure.against.find((one) => one.name === name);
      if (yardstick === undefined) return '';
      if (yardstick.missing !== undefined) return yardstick.missing;
      return `${withSpread(yardstick.runs)} (×${formatShort(median(ratios(figure.ours, yardstick.runs)))})`;
    }),
  ]);
  return render(['', 'Millrace', ...names], rows);
}

/** The other figures from the same runs. */
export function besideTable(figures: readonly Figure[], render: Render): string {
  const names = [...new Set(figures.flatMap(({ others = {} }) => Object.keys(others)))];
  if (names.length === 0) return '';
  const rows = figures
    .filter(({ others }) => others !== undefined)
    .map(({ name, others = {} }) => [name].concat(names.map((one) => formatShort(others[one] ?? Number.NaN))));
  return render(['', ...names], rows);
}

/** Where the time of the figures went, one row per function. */
export function profileTable(figures: readonly Figure[], render: Render): string {
  const rows = figures.flatMap(({ name, profile = [] }) =>
    profile.map((line, i) => [i === 0 ? name : '', `\`${line.name}\``, line.place, percent(line.share)]),
  );
  return rows.length === 0 ? '' : render(['', 'function', 'where', 'of the time'], rows);
}

/** Every goal, the measured value, and whether it meets the goal. */
export function goalsTable(figures: readonly Figure[], render: Render): string {
  const rows = figures.flatMap((figure) =>
    judge(figure).map(({ goal, measured, middle, met }) => [
      `${figure.suite}: ${figure.name}`,
      goal,
      measured,
      middle,
      met ? 'met' : 'MISSED',
    ]),
  );
  return rows.length === 0 ? '' : render(['', 'goal', 'measured', 'half of the runs', ''], rows);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const markdown: Render = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** For a terminal: columns in line, numbers at the right. */
export const alignColumns: Render = (head, rows) => {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [head, ...rows].map((row) => line(row).trimEnd()).join('\n');
};
