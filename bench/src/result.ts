import type { Machine } from './machine.js';
import type { SizeName } from './sizes.js';
import type { Runs } from './statistics.js';
import type { Versions } from './versions.js';

/** One figure: the values of our runs, and beside each the same run of every yardstick. */
export interface Figure {
  readonly suite: string;
  /** What was done: `HTTP logs, NDJSON, 10,000 a request, 4 clients`. */
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly ours: Runs;
  readonly against: readonly Yardstick[];
  /** Other figures from the same runs: name with unit → value. */
  readonly beside?: Readonly<Record<string, number>>;
  readonly goals?: readonly Goal[];
  /** Where the time went in a separate run: the functions in which most of it was spent. */
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
  /** Why there are no runs. */
  readonly missing?: string;
}

/**
 * What the ratio to a yardstick should be; without a yardstick, what the figure itself should be,
 * in its unit.
 */
export interface Goal {
  readonly yardstick?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Takes figures as they are made. */
export type Report = (figure: Figure) => void;

/** A figure and when it was measured. */
export interface Measured extends Figure {
  readonly date: string;
}

/**
 * The results of one or more runs of one size on one machine: each figure once, as it was measured
 * last.
 */
export interface Results {
  readonly machine: Machine;
  readonly size: SizeName;
  /** Those of the last run. */
  readonly versions?: Versions;
  readonly figures: readonly Measured[];
}
