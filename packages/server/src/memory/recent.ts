/** Keeps what was set or asked for last, as much as there is room for. */
export class Recent<K, V> {
  readonly #room: number;
  readonly #sizeOf: (value: V) => number;
  /** What was used the longest time ago comes first. */
  readonly #values = new Map<K, V>();
  #size = 0;

  /**
   * @param room for all values together
   * @param sizeOf what a value takes of it; 1 if left out, so that `room` is how many there may be
   */
  constructor(room: number, sizeOf: (value: V) => number = () => 1) {
    this.#room = room;
    this.#sizeOf = sizeOf;
  }

  /** What all values take together. */
  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#room) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value);
  }
}
