/** LRU cache bounded by total size. */
export class LruCache<K, V> {
  readonly #room: number;
  readonly #sizeOf: (value: V) => number;
  /** Least recently used first. */
  readonly #values = new Map<K, V>();
  #size = 0;

  /**
   * @param room maximum total size
   * @param sizeOf size of a value; 1 if omitted, so that `room` is the maximum number of values
   */
  constructor(room: number, sizeOf: (value: V) => number = () => 1) {
    this.#room = room;
    this.#sizeOf = sizeOf;
  }

  /** Total size of all values. */
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
