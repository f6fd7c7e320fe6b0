/** Reads values of ClickHouse's `RowBinary`, one after the other. */
export class RowBinaryReader {
  readonly #body: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  }

  get hasMore(): boolean {
    return this.#at < this.#body.length;
  }

  int64(): bigint {
    const value = this.#view.getBigInt64(this.#at, true);
    this.#at += 8;
    return value;
  }

  uint8(): number {
    return this.#view.getUint8(this.#at++);
  }

  /** An `Array(Float64)`: a copy, whose bits are those of the engine. */
  doubles(): Float64Array {
    const length = this.#length();
    const values = new Float64Array(length);
    new Uint8Array(values.buffer).set(this.#body.subarray(this.#at, this.#at + 8 * length));
    this.#at += 8 * length;
    return values;
  }

  /** LEB128. */
  #length(): number {
    let [length, factor] = [0, 1];
    for (;;) {
      const byte = this.#view.getUint8(this.#at++);
      length += (byte & 0x7f) * factor;
      if (byte < 0x80) return length;
      factor *= 128;
    }
  }
}
