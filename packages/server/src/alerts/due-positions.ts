/**
 * Positions in the log by time. A run has to see what was acknowledged before it was due, and need
 * not wait for what came since: runs that are due at about the same time, of a thousand monitors,
 * so share one flush, and one that is late by more than a moment needs none.
 */

interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Everything that was acknowledged before is at or below it. */
  readonly position: bigint;
}

/**
 * More than a run is ever late; a later one would be given the position of now, which is right too.
 */
const mostSamples = 1000;

export class DuePositions {
  readonly #clock: () => number;
  readonly #acknowledged: () => Promise<bigint>;
  /** In the order of their times. */
  #samples: readonly Sample[] = [];

  constructor(clock: () => number, acknowledged: () => Promise<bigint>) {
    this.#clock = clock;
    this.#acknowledged = acknowledged;
  }

  /**
   * A position at or above everything that was acknowledged before a time, milliseconds since the
   * epoch.
   */
  async for(due: number): Promise<bigint> {
    const known = this.#samples.find(({ at }) => at >= due);
    if (known !== undefined) return known.position;
    // The clock first: what is acknowledged in between may be in it.
    const at = this.#clock();
    const position = await this.#acknowledged();
    // The clock may have been set back.
    const before = this.#samples.filter((sample) => sample.at < at && sample.position <= position);
    this.#samples = [...before, { at, position }].slice(-mostSamples);
    return position;
  }
}
