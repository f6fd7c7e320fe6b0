import type { ValueSpans } from '../run/columns.js';

export const encodeText = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const longValue = 256 * 1024;

/** A buffer is not made larger than this, as growing copies it: the next begins. */
const maxBytes = 1024 * 1024;

/** Builds a long response from small pieces: buffers that grow, no string per value. */
export class Writer {
  #full: Uint8Array[] = [];
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

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

  /** A long value is not copied. */
  #append(bytes: Uint8Array): void {
    this.#full.push(this.#buffer.subarray(0, this.#length), bytes);
    this.#begin(64 * 1024);
  }

  /** Most pieces are short, and for these a loop is faster than making a view. */
  #copy(source: Uint8Array, from: number, to: number): void {
    if (to - from > longValue) return this.#append(source.subarray(from, to));
    this.#room(to - from);
    const buffer = this.#buffer;
    let at = this.#length;
    if (to - from > 64) buffer.set(source.subarray(from, to), at);
    else for (let i = from; i < to; i++) buffer[at++] = source[i]!;
    this.#length += to - from;
  }

  /** Returns the written bytes and starts over. */
  take(): readonly Uint8Array[] {
    const taken = [...this.#full, ...(this.#length > 0 ? [this.#buffer.subarray(0, this.#length)] : [])];
    this.#full = [];
    this.#begin(64 * 1024);
    return taken;
  }

  #begin(bytes: number): void {
    this.#buffer = Buffer.allocUnsafe(bytes);
    this.#length = 0;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    if (this.#length + bytes > maxBytes) {
      if (this.#length > 0) this.#full.push(this.#buffer.subarray(0, this.#length));
      this.#begin(Math.max(maxBytes / 2, bytes));
      return;
    }
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
