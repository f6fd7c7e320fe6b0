import type { RequestedRange } from '../data/results/requested-range.js';
import type { Cell } from '../data/results/cells.js';
import { MILLISECOND } from '../data/time/instants.js';

/** A value that splits the bars. */
interface HistogramValue {
  /** Its entry in the legend; empty if the bars are not split. */
  readonly name: string;
  /** `null` where events lack the field; undefined for the less frequent values together. */
  readonly cell: Cell | undefined;
}

/** Counts over time in bars of equal width. */
export interface Histogram {
  readonly start: bigint;
  readonly end: bigint;
  /** Requested range in milliseconds: `start` and `end` are those of whole bars. */
  readonly range: RequestedRange | undefined;
  /** Width of a bar in nanoseconds. */
  readonly step: bigint;
  /** Most frequent first. */
  readonly values: readonly HistogramValue[];
  /** Bars with events, in order, each with a count per value. */
  readonly bars: readonly {
    readonly at: bigint;
    readonly counts: readonly number[];
    /** Number that arrived late, for all values. */
    readonly late: number;
  }[];
  readonly total: number;
  /** Events that arrived more than a minute after their timestamp. */
  readonly late: number;
  readonly rowsExamined: number;
}

/** A user's annotation. */
export interface HistogramMark {
  readonly id: string;
  readonly start: bigint;
  /** Undefined for a point in time. */
  readonly end: bigint | undefined;
  readonly title: string;
}

export interface Slot {
  readonly at: bigint;
  readonly counts: readonly number[];
  readonly late: number;
  readonly total: number;
  /** Only partly within the range. */
  readonly cut: boolean;
}

/** A slot per step of the range, also without events. */
export function slotsOf({ start, end, step, bars, values, range }: Histogram): readonly Slot[] {
  const first = start - (((start % step) + step) % step);
  const byTime = new Map(bars.map((bar) => [bar.at, bar]));
  const count = Math.min(2000, Math.max(1, Number((end - first + step - 1n) / step)));
  return Array.from({ length: count }, (_, index) => {
    const at = first + BigInt(index) * step;
    const { counts, late } = byTime.get(at) ?? { counts: values.map(() => 0), late: 0 };
    const cut =
      range !== undefined && (Number(at) / 1e6 < range.from || Number(at + step - MILLISECOND) / 1e6 > range.to);
    return { at, counts, late, total: counts.reduce((sum, each) => sum + each, 0), cut };
  });
}
