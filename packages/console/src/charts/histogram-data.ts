import type { AskedRange } from '../data/answers/asked-range.js';
import { MILLISECOND } from '../data/time/instants.js';

/** Counts over time, in bars of equal width. */
export interface Histogram {
  readonly start: bigint;
  readonly end: bigint;
  /** What was asked for, in milliseconds: `start` and `end` are those of whole bars. */
  readonly asked: AskedRange | undefined;
  /** Width of a bar in nanoseconds. */
  readonly step: bigint;
  /** What the bars are made of, the most frequent first; one empty text if they are not split. */
  readonly values: readonly string[];
  /** Those with events, in order; each with a count for each of `values`. */
  readonly bars: readonly {
    readonly at: bigint;
    readonly counts: readonly number[];
    /** How many of them came late, whatever their value. */
    readonly late: number;
  }[];
  readonly total: number;
  /** Events that arrived more than a minute after their time. */
  readonly late: number;
  readonly rowsExamined: number;
}

/** Something that somebody wrote down about a time. */
export interface HistogramMark {
  readonly id: string;
  readonly start: bigint;
  /** Undefined for a moment. */
  readonly end: bigint | undefined;
  readonly title: string;
}

export interface Slot {
  readonly at: bigint;
  readonly counts: readonly number[];
  readonly late: number;
  readonly total: number;
  /** The range has a part of its time only. */
  readonly cut: boolean;
}

/** A slot for each step of the range, also where there are no events. */
export function slotsOf({ start, end, step, bars, values, asked }: Histogram): readonly Slot[] {
  const first = start - (((start % step) + step) % step);
  const byTime = new Map(bars.map((bar) => [bar.at, bar]));
  const count = Math.min(2000, Math.max(1, Number((end - first + step - 1n) / step)));
  return Array.from({ length: count }, (_, index) => {
    const at = first + BigInt(index) * step;
    const { counts, late } = byTime.get(at) ?? { counts: values.map(() => 0), late: 0 };
    const cut =
      asked !== undefined && (Number(at) / 1e6 < asked.from || Number(at + step - MILLISECOND) / 1e6 > asked.to);
    return { at, counts, late, total: counts.reduce((sum, each) => sum + each, 0), cut };
  });
}
