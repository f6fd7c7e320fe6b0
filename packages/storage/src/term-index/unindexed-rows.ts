import { mergeSpans, type TimeSpan } from './time-spans.js';

/** Events that are not indexed yet: those of some batches, up to a position of the log. */
interface UnindexedBatch extends TimeSpan {
  readonly position: bigint;
  readonly rows: number;
  /** When they came, by `performance.now()`. */
  readonly since: number;
}

/** Maximum separate entries; beyond it the oldest are merged. */
const maxSpans = 256;

/** The events of a dataset that its term index does not cover. */
export class UncoveredEvents {
  #all: readonly UnindexedBatch[] = [];

  add(events: UnindexedBatch): void {
    const [first, second, ...others] = this.#all;
    if (first === undefined || second === undefined || others.length + 2 < maxSpans) {
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

  /** The index covers everything up to a position now. */
  cover(upTo: bigint): void {
    this.#all = this.#all.filter(({ position }) => position > upTo);
  }

  get rows(): number {
    return this.#all.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Time of the oldest unindexed events; undefined if there are none. */
  get since(): number | undefined {
    return this.#all[0]?.since;
  }

  /** Their time spans. */
  get stretches(): readonly TimeSpan[] {
    return mergeSpans(this.#all);
  }
}
