import type { ValueSpans } from '../run/columns.js';

export const encoded = (text: string): Uint8Array => Buffer.from(text, 'utf8');

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
    this.#copy(bytes, 0, bytes.byteLength);
  }

  value({ column, bounds }: ValueSpans, row: number): void {
    this.#copy(column, bounds[2 * row]!, bounds[2 * row + 1]!);
  }

  /** Most pieces are short, and for these a loop is faster than making a view. */
  #copy(source: Uint8Array, from: number, to: number): void {
    this.#room(to - from);
    const buffer = this.#buffer;
    let at = this.#length;
    if (to - from > 64) buffer.set(source.subarray(from, to), at);
    else for (let i = from; i < to; i++) buffer[at++] = source[i]!;
    this.#length += to - from;
  }

  /** Returns what was written, and starts over. */
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
