import type { Monitor } from '@millrace/api/schemas/monitor';
import { groupKey } from './evaluation.js';
import type { Label, ResultColumn, ResultTable } from './result-table.js';

/** The numbers of a result, by group and in order of time. */

export interface Point {
  /** RFC 3339; empty in a table that has no time. */
  readonly time: string;
  readonly value: number;
  readonly column: string;
}

export interface Series {
  readonly labels: readonly Label[];
  readonly points: readonly Point[];
}

type SeriesResult =
  | { readonly kind: 'found'; readonly keys: readonly string[]; readonly series: readonly Series[] }
  | { readonly kind: 'no-column'; readonly problem: string };

/**
 * Splits a result into series. Skips nulls and values that are not numbers, so a series may have no
 * points.
 */
export function seriesIn(table: ResultTable, { columnName }: Pick<Monitor, 'columnName'>): SeriesResult {
  const { columns, rows } = table;
  const groups = columns.filter(({ role }) => role === 'group');
  const compared = columns.filter(
    ({ name, role }) => (columnName === undefined ? role === 'value' : name === columnName) && role !== 'time',
  );
  if (columnName !== undefined && compared.length === 0)
    return {
      kind: 'no-column',
      problem: `the result has no column '${columnName}' to compare; it has ${columns.map(({ name }) => name).join(', ')}`,
    };
  const time = columns.find(({ role }) => role === 'time');
  const found = new Map<string, { readonly labels: readonly Label[]; readonly points: Point[] }>();
  for (let row = 0; row < rows; row++) {
    const labels = groups.map((group) => labelAt(group, row));
    const key = groupKey(labels);
    const series = found.get(key) ?? { labels, points: [] };
    found.set(key, series);
    for (const column of compared) {
      const value = column.values[row];
      if (typeof value === 'number' && Number.isFinite(value))
        series.points.push({ time: String(time?.values[row] ?? ''), value, column: column.name });
    }
  }
  const series = [...found.values()].map(({ labels, points }) => ({
    labels,
    points: points.toSorted((a, b) => compareTimes(a.time, b.time)),
  }));
  return { kind: 'found', keys: groups.map(({ name }) => name), series };
}

function labelAt({ values }: ResultColumn, row: number): Label {
  const value = values[row];
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
}

/** Timestamps omit trailing zeros of the fraction, so they do not sort as strings. */
function compareTimes(a: string, b: string): number {
  if (a === b) return 0;
  return Date.parse(a) - Date.parse(b) || (a.replace('Z', '') < b.replace('Z', '') ? -1 : 1);
}
