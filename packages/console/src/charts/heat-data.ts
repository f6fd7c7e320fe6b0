import type { Answer } from '../data/answers/answers.js';
import { type Cell, textOf } from '../data/answers/cells.js';
import { seriesOf } from './series-data.js';

/** Counts over time and another scale. */
export interface HeatData {
  /** Milliseconds since the epoch. */
  readonly times: readonly number[];
  /** From the lowest to the highest. */
  readonly rows: readonly string[];
  /** For each row, for each time. */
  readonly counts: readonly (readonly number[])[];
  readonly most: number;
  /** From where to where each row goes, if they are numbers. */
  readonly bounds?: readonly (readonly [number, number])[];
}

const ROWS = 20;

interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Of histograms over time, else of one number per group over time; undefined if it is neither. */
export function heatOf(answer: Answer, format: (value: number) => string): HeatData | undefined {
  const { table } = answer;
  const time = table.head.fields.findIndex(({ type }) => type === 'datetime');
  const bins = table.columns.findIndex((column) => column.some((cell) => binsOf(cell).length > 0));
  if (time >= 0 && bins >= 0) return ofHistograms(table.columns[time]!, table.columns[bins]!, format);
  const data = seriesOf(answer);
  if (data.kind !== 'times') return undefined;
  const counts = data.series.slice(0, ROWS).map(({ values }) => values.map((value) => value ?? 0));
  return {
    times: data.times,
    rows: data.series.slice(0, ROWS).map(({ name }) => name),
    counts,
    most: Math.max(0, ...counts.flat()),
  };
}

function ofHistograms(times: readonly Cell[], cells: readonly Cell[], format: (value: number) => string): HeatData {
  const columns = times
    .map((cell, row) => ({ at: Date.parse(textOf(cell)), bins: binsOf(cells[row]!) }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => a.at - b.at);
  const all = columns.flatMap(({ bins }) => bins);
  const low = all.reduce((least, { from }) => Math.min(least, from), Infinity);
  const high = all.reduce((most, { to }) => Math.max(most, to), -Infinity);
  const width = (high - low) / ROWS || 1;
  const counts = Array.from({ length: ROWS }, () => columns.map(() => 0));
  for (const [column, { bins }] of columns.entries())
    for (const { from, to, count } of bins)
      // A bin of the answer lies across rows: each gets its share.
      for (let row = rowAt(from); row <= rowAt(to); row++) {
        const within = Math.min(to, low + (row + 1) * width) - Math.max(from, low + row * width);
        counts[row]![column]! += to > from ? (count * Math.max(0, within)) / (to - from) : count;
        if (to <= from) break;
      }
  function rowAt(value: number): number {
    return Math.min(ROWS - 1, Math.max(0, Math.floor((value - low) / width)));
  }
  return {
    times: columns.map(({ at }) => at),
    rows: counts.map((_, row) => `${format(low + row * width)} – ${format(low + (row + 1) * width)}`),
    counts,
    most: Math.max(0, ...counts.flat()),
    bounds: counts.map((_, row) => [low + row * width, low + (row + 1) * width] as const),
  };
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
