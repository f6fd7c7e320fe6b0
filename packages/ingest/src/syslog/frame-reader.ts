import { endOfLine, nextFrame } from './frames.js';

/** Ends a message that was longer than messages may be. */
const cutMark = Buffer.from(' [cut]');

/**
 * Splits a syslog stream into messages. Truncates long messages and drops the rest, so a sender
 * takes at most the memory of one message.
 */
export class FrameReader {
  readonly #max: number;
  readonly #emit: (message: Buffer) => void;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of the rest in which no line ends. */
  #scannedBytes = 0;
  /** Of a truncated message: remaining bytes to skip, or whether to skip to the end of its line. */
  #skipBytes = 0;
  #skipLine = false;

  /** @param max maximum bytes of a message */
  constructor(max: number, emit: (message: Buffer) => void) {
    this.#max = max;
    this.#emit = emit;
  }

  push(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = this.#skipAhead(bytes);
    while (at < bytes.length) {
      const next = this.#read(bytes, at);
      if (next < 0) break;
      at = next;
      this.#scannedBytes = 0;
    }
    // A copy, because a piece shares its memory with others.
    this.#rest = Buffer.from(bytes.subarray(at));
    this.#scannedBytes = this.#rest.length;
  }

  /** Ends the stream: the remaining bytes are a message. */
  end(): void {
    if (this.#rest.length > 0) this.#emit(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  /** Reads one message; returns the start of the next one, or −1 if more bytes are needed. */
  #read(bytes: Buffer, at: number): number {
    const frame = nextFrame(bytes, at, at + this.#scannedBytes);
    if (frame === undefined) {
      if (bytes.length - at <= this.#max) return -1;
      this.#cut(bytes, at);
      this.#skipLine = true;
      return bytes.length;
    }
    const { start, end, next } = frame;
    if (end - start > this.#max) {
      if (bytes.length < start + this.#max) return -1;
      this.#cut(bytes, start);
      this.#skipBytes = Math.max(0, next - bytes.length);
      return Math.min(next, bytes.length);
    }
    if (end > bytes.length) return -1;
    if (end > start) this.#emit(bytes.subarray(start, end));
    return next;
  }

  #cut(bytes: Buffer, start: number): void {
    this.#emit(Buffer.concat([bytes.subarray(start, start + this.#max), cutMark]));
  }

  /** Returns where to continue after the dropped rest of a truncated message. */
  #skipAhead(bytes: Buffer): number {
    if (this.#skipLine) {
      const end = endOfLine(bytes, 0);
      if (end < 0) return bytes.length;
      this.#skipLine = false;
      return end + 1;
    }
    const skipped = Math.min(this.#skipBytes, bytes.length);
    this.#skipBytes -= skipped;
    return skipped;
  }
}
