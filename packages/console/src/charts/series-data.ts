import type { Answer } from '../data/results/results.js';
import type { RequestedRange } from '../data/results/requested-range.js';
import { type Cell, textOf } from '../data/results/cells.js';
import { groupName } from '../data/results/group-name.js';

/** A result in drawable form. */
export type SeriesData =
  | {
      readonly kind: 'times';
      /** Milliseconds since the epoch. */
      readonly times: readonly number[];
      readonly series: readonly Series[];
      /** Number of series beyond the limit. */
      readonly left: number;
      /** Name of the group without a value, if any has it. */
      readonly missing?: string;
      readonly step: number | undefined;
      /** Possible range of times, in milliseconds since the epoch. */
      readonly range?: { readonly from: number; readonly to: number };
      /** Requested range; the first and last bucket may extend beyond it. */
      readonly asked?: RequestedRange;
    }
  | {
      readonly kind: 'groups';
      readonly groups: readonly string[];
      readonly series: readonly Series[];
      readonly left: number;
      readonly missing?: string;
    }
  | { readonly kind: 'figures'; readonly figures: readonly { readonly name: string; readonly cell: Cell }[] }
  | { readonly kind: 'none' };

interface Series {
  readonly name: string;
  /** Per time or group; null without a value. */
  readonly values: readonly (number | null)[];
}

/** More lines are indistinguishable; the rest is counted. */
const MAX_SERIES = 100;
const MAX_GROUPS = 200;

const numberOf = (cell: Cell): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'bigint' ? Number(cell) : null;

export function seriesOf({ table, asked }: Answer): SeriesData {
  const { fields, buckets, groups } = table.head;
  const time = buckets?.field ?? fields.find(({ name, type }) => name === '_time' && type === 'datetime')?.name;
  const grouped = new Set(groups.map(({ name }) => name));
  const columns = fields.map((field, index) => ({ ...field, cells: table.columns[index]! }));
  const measures = columns.filter(
    ({ name, type }) => !grouped.has(name) && name !== time && /^(integer|float)/.test(type) && !name.startsWith('_'),
  );
  if (measures.length === 0) return { kind: 'none' };
  const keys = columns.filter(({ name }) => grouped.has(name) && name !== time);
  if (table.rows === 1 && time === undefined && keys.length === 0)
    return { kind: 'figures', figures: measures.map(({ name, cells }) => ({ name, cell: cells[0]! })) };
  const keyOf = (row: number): string => keys.map(({ name, cells }) => groupName(cells[row]!, name)).join(' · ');
  const missing = keys.length === 1 && { missing: groupName(null, keys[0]!.name) };
  if (time === undefined || !columns.some(({ name }) => name === time)) {
    const rows = Math.min(table.rows, MAX_GROUPS);
    return {
      kind: 'groups',
      groups: Array.from({ length: rows }, (_, row) => keyOf(row)),
      series: measures.map(({ name, cells }) => ({ name, values: cells.slice(0, rows).map(numberOf) })),
      left: table.rows - rows,
      ...missing,
    };
  }
  const timeCells = columns.find(({ name }) => name === time)!.cells;
  const at = timeCells.map((cell) => Date.parse(textOf(cell)));
  const about = {
    step: buckets === undefined ? undefined : buckets.size / 1e6,
    ...rangeOf(table.head.range),
    ...(asked !== undefined && { asked }),
  };
  // Fast path for one ordered row per time: there may be a million numbers.
  if (keys.length === 0 && at.every((each, row) => each > (at[row - 1] ?? -Infinity)))
    return {
      kind: 'times',
      times: at,
      series: measures
        .map(({ name, cells }) => ({ name, values: cells.map(numberOf) }))
        .toSorted((a, b) => totalOf(b) - totalOf(a))
        .slice(0, MAX_SERIES),
      left: Math.max(0, measures.length - MAX_SERIES),
      ...about,
    };
  const times = [...new Set(at.filter((each) => !Number.isNaN(each)))].sort((a, b) => a - b);
  const index = new Map(times.map((each, position) => [each, position]));
  const found = new Map<string, { values: (number | null)[]; total: number }>();
  for (let row = 0; row < table.rows; row++) {
    const position = index.get(at[row]!);
    if (position === undefined) continue;
    const key = keyOf(row);
    for (const { name, cells } of measures) {
      const label = keys.length === 0 ? name : measures.length === 1 ? key : `${key} · ${name}`;
      const series = found.get(label) ?? { values: times.map(() => null), total: 0 };
      found.set(label, series);
      const value = numberOf(cells[row]!);
      series.values[position] = value;
      series.total += Math.abs(value ?? 0);
    }
  }
  const ranked = [...found].toSorted(([, a], [, b]) => b.total - a.total);
  return {
    kind: 'times',
    times,
    series: ranked.slice(0, MAX_SERIES).map(([name, { values }]) => ({ name, values })),
    left: Math.max(0, ranked.length - MAX_SERIES),
    ...missing,
    ...about,
  };
}

const totalOf = ({ values }: Series): number => values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);

function rangeOf({ start, end }: Answer['table']['head']['range']) {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return Number.isNaN(from) || Number.isNaN(to) ? {} : { range: { from, to } };
}
