import type { ValueSpans } from './columns.js';

/** Builds a long answer from small pieces: one buffer that grows, no string per value. */
export class Writer {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    this.#room(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.byteLength);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.byteLength;
  }

  value({ column, bounds }: ValueSpans, row: number): void {
    const from = bounds[2 * row]!;
    const to = bounds[2 * row + 1]!;
    this.#room(to - from);
    // Most values are short: a loop beats the making of a view.
    if (to - from > 64) this.#buffer.set(column.subarray(from, to), this.#length);
    else for (let i = from, at = this.#length; i < to; i++, at++) this.#buffer[at] = column[i]!;
    this.#length += to - from;
  }

  /** What was written, and begins anew. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#buffer = Buffer.allocUnsafe(64 * 1024);
    this.#length = 0;
    return taken;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
