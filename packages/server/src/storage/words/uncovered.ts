import { joined, type Stretch } from './stretches.js';

/**
 * Events whose words are not in the table yet: those of some batches, up to a position of the log.
 */
interface Uncovered extends Stretch {
  readonly position: bigint;
  readonly rows: number;
  /** When they came, by `performance.now()`. */
  readonly since: number;
}

/** Kept apart until there are this many; then the oldest are taken together. */
const mostKept = 256;

/** The events of a dataset that its table of words does not cover. */
export class UncoveredEvents {
  #all: readonly Uncovered[] = [];

  add(events: Uncovered): void {
    const [first, second, ...others] = this.#all;
    if (first === undefined || second === undefined || others.length + 2 < mostKept) {
      this.#all = [...this.#all, events];
      return;
    }
    const [start, end] = [
      first.start < second.start ? first.start : second.start,
      first.end > second.end ? first.end : second.end,
    ];
    const position = first.position > second.position ? first.position : second.position;
    const both = { start, end, position, rows: first.rows + second.rows, since: first.since };
    this.#all = [both, ...others, events];
  }

  /** The table covers everything up to a position now. */
  cover(upTo: bigint): void {
    this.#all = this.#all.filter(({ position }) => position > upTo);
  }

  get rows(): number {
    return this.#all.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** When the oldest of them came; undefined if there are none. */
  get since(): number | undefined {
    return this.#all[0]?.since;
  }

  /** The times they have. */
  get stretches(): readonly Stretch[] {
    return joined(this.#all);
  }
}
