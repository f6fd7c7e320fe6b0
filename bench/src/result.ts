import type { Machine } from './machine.js';
import type { SizeName } from './sizes.js';
import type { Runs } from './statistics.js';
import type { Versions } from './versions.js';

/** One metric: the values of our runs, and for each the same run of every yardstick. */
export interface Figure {
  readonly suite: string;
  /** Name of the measurement: `HTTP logs, NDJSON, 10,000 a request, 4 clients`. */
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly ours: Runs;
  readonly against: readonly Yardstick[];
  /** Other figures from the same runs: name with unit → value. */
  readonly others?: Readonly<Record<string, number>>;
  readonly goals?: readonly Goal[];
  /** The functions with the most time in a separate, profiled run. */
  readonly profile?: readonly ProfileLine[];
}

export interface ProfileLine {
  readonly name: string;
  /** `encode-json.js:120`; empty for functions that are not ours. */
  readonly place: string;
  /** Share of the samples, from 0 to 1. */
  readonly share: number;
}

export interface Yardstick {
  readonly name: string;
  readonly runs: Runs;
  /** Why runs are missing. */
  readonly missing?: string;
}

/** Target ratio to a yardstick; without a yardstick, target of the metric in its unit. */
export interface Goal {
  readonly yardstick?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Receives metrics as they are measured. */
export type Report = (figure: Figure) => void;

/** A figure and when it was measured. */
export interface MeasuredFigure extends Figure {
  readonly date: string;
}

/**
 * The results of one or more runs of one size on one machine: each figure once, as it was measured
 * last.
 */
export interface Results {
  readonly machine: Machine;
  readonly size: SizeName;
  /** Versions in the last run. */
  readonly versions?: Versions;
  readonly figures: readonly MeasuredFigure[];
}
