import type { Machine } from './machine.js';
import type { SizeName } from './sizes.js';
import type { Runs } from './statistics.js';

/** One figure: ours, run by run, and beside it the same run of each yardstick. */
export interface Figure {
  readonly suite: string;
  /** What was done: `HTTP logs, NDJSON, 10,000 a request, 4 clients`. */
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly ours: Runs;
  readonly against: readonly Yardstick[];
  /** Other things seen in the same runs: name with unit → value. */
  readonly beside?: Readonly<Record<string, number>>;
  readonly goal?: Goal;
}

export interface Yardstick {
  readonly name: string;
  readonly runs: Runs;
  /** Why there are no runs. */
  readonly missing?: string;
}

/** What the ratio to a yardstick is to be. */
export interface Goal {
  readonly yardstick: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Takes figures as they are made. */
export type Report = (figure: Figure) => void;

/** What a run leaves behind. */
export interface Results {
  readonly machine: Machine;
  readonly size: SizeName;
  readonly date: string;
  readonly figures: readonly Figure[];
}
