/**
 * Refused batches of which the engine may have a part, because an insert ended half-way. Nobody may
 * see that part alone, so it is left out of every answer until the batch is no longer refused.
 */
export class PartlyIn {
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

  /** The engine has all of them, or nothing. */
  remove(datasetId: number, positions: Iterable<bigint>): void {
    const known = this.#positions.get(datasetId);
    for (const position of positions) known?.delete(position);
    if (known?.size === 0) this.#positions.delete(datasetId);
  }

  forget(datasetId: number): void {
    this.#positions.delete(datasetId);
  }
}
