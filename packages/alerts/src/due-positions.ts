/**
 * Log positions by time. A run must see what was acknowledged before it was due, and need not wait
 * for later batches. Runs of many monitors that are due at about the same time therefore share one
 * flush, and a run that starts late needs none.
 */

interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Everything that was acknowledged before is at or below it. */
  readonly position: bigint;
}

/**
 * More than a run is ever late; an even later one would get the current position, which is correct
 * too.
 */
const maxSamples = 1000;

export class DuePositions {
  readonly #clock: () => number;
  readonly #getAcknowledgedPosition: () => Promise<bigint>;
  /** Sorted by time. */
  #samples: readonly Sample[] = [];

  constructor(clock: () => number, acknowledged: () => Promise<bigint>) {
    this.#clock = clock;
    this.#getAcknowledgedPosition = acknowledged;
  }

  /**
   * A position at or above everything that was acknowledged before a time, milliseconds since the
   * epoch.
   */
  async for(due: number): Promise<bigint> {
    // If the clock was set back, the samples miss batches acknowledged since.
    if ((this.#samples.at(-1)?.at ?? 0) > this.#clock()) this.#samples = [];
    const known = this.#samples.find(({ at }) => at >= due);
    if (known !== undefined) return known.position;
    // Read the clock first: the position may then include later batches, but misses none from
    // before.
    const at = this.#clock();
    const position = await this.#getAcknowledgedPosition();
    // The clock may have been set back.
    const before = this.#samples.filter((sample) => sample.at < at && sample.position <= position);
    this.#samples = [...before, { at, position }].slice(-maxSamples);
    return position;
  }
}
