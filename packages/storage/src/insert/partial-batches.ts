/**
 * Quarantined batches with rows in the engine, because an insert ended half-way. A partial batch
 * must not be visible, so it is left out of every result until the batch is no longer quarantined.
 */
export class PartialBatches {
  readonly #positions = new Map<number, Set<bigint>>();

  /** Positions of a dataset. */
  of(datasetId: number): readonly bigint[] {
    return [...(this.#positions.get(datasetId) ?? [])];
  }

  add(datasetId: number, positions: Iterable<bigint>): void {
    const known = this.#positions.get(datasetId) ?? new Set();
    for (const position of positions) known.add(position);
    if (known.size > 0) this.#positions.set(datasetId, known);
  }

  /** The engine has all of their rows, or none. */
  remove(datasetId: number, positions: Iterable<bigint>): void {
    const known = this.#positions.get(datasetId);
    for (const position of positions) known?.delete(position);
    if (known?.size === 0) this.#positions.delete(datasetId);
  }

  forget(datasetId: number): void {
    this.#positions.delete(datasetId);
  }
}
