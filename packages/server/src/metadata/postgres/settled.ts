/**
 * Up to which positions nothing is under way, as it was when somebody looked last. It only rises:
 * what is said once stays true.
 */
export class Settled {
  #last = 0n;
  #underWay: ReadonlyMap<number, bigint> = new Map();

  /**
   * @param last the highest position that was given
   * @param underWay the lowest position that is under way, of each dataset that has one
   */
  note(last: bigint, underWay: ReadonlyMap<number, bigint>): void {
    this.#last = last;
    this.#underWay = underWay;
  }

  /** No batch of these datasets, or of all, is on its way at or below this position. */
  upTo(datasetIds: readonly number[] = [...this.#underWay.keys()]): bigint {
    const lowest = datasetIds.map((id) => this.#underWay.get(id) ?? this.#last + 1n);
    return lowest.reduce((least, position) => (position < least ? position : least), this.#last + 1n) - 1n;
  }

  /** The highest position that was given. */
  get last(): bigint {
    return this.#last;
  }
}
