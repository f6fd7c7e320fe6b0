import type { Answer } from '../data/results/results.js';
import { type Cell, textOf } from '../data/results/cells.js';
import { type Bin, edgesOf } from './heat-scale.js';
import { seriesOf } from './series-data.js';

/** Counts by time and a second scale. */
export interface HeatData {
  /** Milliseconds since the epoch. */
  readonly times: readonly number[];
  /** From lowest to highest. */
  readonly rows: readonly string[];
  /** Per row, per time. */
  readonly counts: readonly (readonly number[])[];
  readonly max: number;
  /** Bounds of each row, if numeric. */
  readonly bounds?: readonly (readonly [number, number])[];
}

const ROWS = 20;

/**
 * Converts histograms over time, or one number per group over time; undefined for other results.
 */
export function heatOf(answer: Answer, format: (value: number) => string): HeatData | undefined {
  const { table } = answer;
  const time = table.head.fields.findIndex(({ type }) => type === 'datetime');
  const bins = table.columns.findIndex((column) => column.some((cell) => binsOf(cell).length > 0));
  if (time >= 0 && bins >= 0) return ofHistograms(table, { time, bins }, format);
  const data = seriesOf(answer);
  if (data.kind !== 'times') return undefined;
  const counts = data.series.slice(0, ROWS).map(({ values }) => values.map((value) => value ?? 0));
  return {
    times: data.times,
    rows: data.series.slice(0, ROWS).map(({ name }) => name),
    counts,
    max: Math.max(0, ...counts.flat()),
  };
}

interface Column {
  readonly at: number;
  readonly bins: readonly Bin[];
}

function ofHistograms(
  { columns: cells, head }: Answer['table'],
  { time, bins }: { readonly time: number; readonly bins: number },
  format: (value: number) => string,
): HeatData {
  const columns = spaceColumns(
    cells[time]!.map((cell, row) => ({ at: Date.parse(textOf(cell)), bins: binsOf(cells[bins]![row]!) }))
      .filter(({ at }) => !Number.isNaN(at))
      .toSorted((a, b) => a.at - b.at),
    head,
  );
  const edges = edgesOf(
    columns.flatMap(({ bins }) => bins),
    ROWS,
  );
  const bounds = Array.from({ length: ROWS }, (_, row) => [edges[row]!, edges[row + 1]!] as const);
  const counts = bounds.map(() => columns.map(() => 0));
  for (const [column, { bins }] of columns.entries())
    for (const { from, to, count } of bins)
      // A bin that overlaps several rows is divided in proportion.
      for (let row = rowAt(from); row <= rowAt(to); row++) {
        const [low, high] = bounds[row]!;
        const within = Math.min(to, high) - Math.max(from, low);
        counts[row]![column]! += to > from ? (count * Math.max(0, within)) / (to - from) : count;
        if (to <= from) break;
      }
  function rowAt(value: number): number {
    const row = bounds.findIndex(([, high]) => value < high);
    return row < 0 ? ROWS - 1 : row;
  }
  const width = (row: number): number => edges[row + 1]! - edges[row]!;
  const isFar = (row: number, neighbor: number): boolean => width(row) > 1.5 * width(neighbor);
  return {
    times: columns.map(({ at }) => at),
    rows: bounds.map(([low, high], row) =>
      row === ROWS - 1 && isFar(row, row - 1)
        ? `≥ ${format(low)}`
        : row === 0 && isFar(row, 1)
          ? `< ${format(high)}`
          : `${format(low)} – ${format(high)}`,
    ),
    counts,
    max: Math.max(0, ...counts.flat()),
    bounds,
  };
}

/** More columns than a screen has pixels. */
const MAX_COLUMNS = 3000;

/** Times without events become empty columns, over the whole range of the query. */
function spaceColumns(columns: readonly Column[], { buckets, range }: Answer['table']['head']): readonly Column[] {
  const step = (buckets?.size ?? 0) / 1e6;
  const [first, last] = [columns[0]?.at, columns.at(-1)?.at];
  if (first === undefined || last === undefined || step < 1) return columns;
  const whole = (length: number): number => Math.max(0, Math.floor(length / step)) * step || 0;
  const from = first - whole(first - Date.parse(range.start));
  const to = last + whole(Date.parse(range.end) - last);
  const count = Math.round((to - from) / step) + 1;
  const byPlace = new Map(columns.map((column) => [(column.at - from) / step, column]));
  // Months and computed times have no constant step.
  if (count > MAX_COLUMNS || [...byPlace.keys()].some((place) => !Number.isInteger(place))) return columns;
  return Array.from({ length: count }, (_, place) => byPlace.get(place) ?? { at: from + place * step, bins: [] });
}

function binsOf(cell: Cell): readonly Bin[] {
  if (typeof cell !== 'object' || cell === null || cell.kind !== 'json' || !cell.text.startsWith('[{')) return [];
  try {
    const list = JSON.parse(cell.text) as readonly Partial<Bin>[];
    return list.filter(
      (bin): bin is Bin =>
        typeof bin.from === 'number' && typeof bin.to === 'number' && typeof bin.count === 'number' && bin.count > 0,
    );
  } catch {
    return [];
  }
}
