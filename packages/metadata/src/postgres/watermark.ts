/**
 * The watermark: the positions, per dataset, up to which nothing was in flight at the last check.
 * It only rises: a watermark once returned stays true.
 */
export class Watermark {
  #last = 0n;
  #inFlight: ReadonlyMap<number, bigint> = new Map();

  /**
   * @param last the highest allocated position
   * @param inFlight the lowest position in flight, of each dataset that has one
   */
  note(last: bigint, inFlight: ReadonlyMap<number, bigint>): void {
    this.#last = last;
    this.#inFlight = inFlight;
  }

  /** The watermark of these datasets, or of all: no batch is in flight at or below it. */
  upTo(datasetIds: readonly number[] = [...this.#inFlight.keys()]): bigint {
    const lowest = datasetIds.map((id) => this.#inFlight.get(id) ?? this.#last + 1n);
    return lowest.reduce((min, position) => (position < min ? position : min), this.#last + 1n) - 1n;
  }

  /** The highest allocated position. */
  get last(): bigint {
    return this.#last;
  }
}
