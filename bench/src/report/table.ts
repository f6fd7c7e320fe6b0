import type { Figure } from '../result.js';
import { median, ratios, type Runs, spread } from '../statistics.js';

/** A value with three significant digits, or all its digits before the point if there are more. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

const withSpread = (runs: Runs): string =>
  short(median(runs)) + (runs.length > 1 ? ` ±${Math.round(spread(runs) * 100)}%` : '');

/** A goal and whether it was met. */
export interface Judged {
  /** `×3.33`, the median of the runs' ratios to the yardstick; `2.02 ms` where the goal has no yardstick. */
  readonly measured: string;
  /** `≥ 2.5 × JSON type load`, `≤ 5 ms` */
  readonly goal: string;
  readonly met: boolean;
}

/** Judges every goal except those whose yardstick was not measured. */
export const judge = ({ unit, ours, against, goals = [] }: Figure): readonly Judged[] =>
  goals.flatMap(({ yardstick, atLeast, atMost }) => {
    const runs = against.find(({ name }) => name === yardstick)?.runs ?? [];
    if (yardstick !== undefined && runs.length === 0) return [];
    const value = median(yardstick === undefined ? ours : ratios(ours, runs));
    const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    return {
      measured: yardstick === undefined ? `${short(value)} ${unit}` : `×${short(value)}`,
      goal: yardstick === undefined ? `${limit} ${unit}` : `${limit} × ${yardstick}`,
      met: (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost),
    };
  });

/** A figure beside its yardsticks, as one line of text. */
export function figureLine(figure: Figure): string {
  const { suite, name, unit, ours, against, beside = {}, profile = [] } = figure;
  const theirs = against.map(({ name, runs, missing }) =>
    missing === undefined
      ? `${name} ${withSpread(runs)} (×${short(median(ratios(ours, runs)))})`
      : `${name}: ${missing}`,
  );
  const judged = judge(figure).map(({ goal, met }) => `goal ${goal}: ${met ? 'met' : 'MISSED'}`);
  const hottest = profile.slice(0, 3).map(({ name, share }) => `${name} ${percent(share)}`);
  const more = Object.entries(beside).map(([name, value]) => `${name} ${short(value)}`);
  return [
    `${suite} | ${name}: ${withSpread(ours)} ${unit}`,
    ...(theirs.length > 0 ? [theirs.join(' · ')] : []),
    ...judged,
    ...(more.length > 0 ? [more.join(', ')] : []),
    ...(hottest.length > 0 ? [`most of it: ${hottest.join(', ')}`] : []),
  ].join('\n    ');
}

/** All figures of a suite as a Markdown table: one column per yardstick, with the ratio to it in parentheses. */
export function figureTable(figures: readonly Figure[]): string {
  const names = [...new Set(figures.flatMap(({ against }) => against.map(({ name }) => name)))];
  const rows = figures.map((figure) => [
    figure.name,
    `${withSpread(figure.ours)} ${figure.unit}`,
    ...names.map((name) => {
      const yardstick = figure.against.find((one) => one.name === name);
      if (yardstick === undefined) return '';
      if (yardstick.missing !== undefined) return yardstick.missing;
      return `${withSpread(yardstick.runs)} (×${short(median(ratios(figure.ours, yardstick.runs)))})`;
    }),
  ]);
  return markdown(['', 'Millrace', ...names], rows);
}

/** The other figures from the same runs. */
export function besideTable(figures: readonly Figure[]): string {
  const names = [...new Set(figures.flatMap(({ beside = {} }) => Object.keys(beside)))];
  if (names.length === 0) return '';
  const rows = figures
    .filter(({ beside }) => beside !== undefined)
    .map(({ name, beside = {} }) => [name].concat(names.map((one) => short(beside[one] ?? Number.NaN))));
  return markdown(['', ...names], rows);
}

/** Where the time of the figures went, one row per function. */
export function profileTable(figures: readonly Figure[]): string {
  const rows = figures.flatMap(({ name, profile = [] }) =>
    profile.map((line, i) => [i === 0 ? name : '', `\`${line.name}\``, line.place, percent(line.share)]),
  );
  return rows.length === 0 ? '' : markdown(['', 'function', 'where', 'of the time'], rows);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
