/**
 * Growing byte buffers. A dataset may bring a hundred thousand names in one batch, so a buffer that holds little lives in
 * a slab shared with its neighbours; an ArrayBuffer of its own would cost more than its content. A buffer that holds much
 * may consist of segments, which need no copying to grow and are used again by the next batch.
 */
const SLAB = 1 << 16;
/** From this size on a buffer gets memory of its own. */
const OWN = 1 << 13;
const FIRST = 16;
/** Up to this size a buffer grows fourfold: the first texts of a column would else move it again and again. */
const SMALL = 1 << 10;
const SEGMENT = 1 << 18;
/** Up to this size bytes are copied word by word. */
const SHORT = 192;
/** Segments kept for the next batch, 16 MiB: fresh memory costs about as much as filling it. */
const MOST_IDLE = 64;

const idle: Uint8Array<ArrayBuffer>[] = [];
/** Slabs kept for the next batch. */
const MOST_IDLE_SLABS = 4;

const idleSlabs: TextBytes[] = [];

/** Memory that holds anything; whoever takes it writes all of it. */
export function uninitialised(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
}

/** Memory in which a text stands. */
export interface TextBytes {
  readonly buffer: Uint8Array;
  readonly view: DataView;
}

export function textBytes(buffer: Uint8Array): TextBytes {
  return { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
}

/** Copies without the fixed cost of a call into the runtime while there is little to copy. */
export function copyShort(from: TextBytes, at: number, to: TextBytes, toAt: number, length: number): void {
  if (length > SHORT) {
    to.buffer.set(from.buffer.subarray(at, at + length), toAt);
  } else if (length < 4) {
    for (let i = 0; i < length; i++) to.buffer[toAt + i] = from.buffer[at + i]!;
  } else {
    const { view: source } = from;
    const { view: target } = to;
    // The last word may overlap the one before.
    const last = length - 4;
    for (let i = 0; i < last; i += 4) target.setInt32(toAt + i, source.getInt32(at + i, true), true);
    target.setInt32(toAt + last, source.getInt32(at + last, true), true);
  }
}

/** Fills without the fixed cost of a call into the runtime while there is little to fill. */
export function fillShort(buffer: Uint8Array, value: number, from: number, to: number): void {
  if (to - from > 32) buffer.fill(value, from, to);
  else for (let i = from; i < to; i++) buffer[i] = value;
}

const nothing = textBytes(new Uint8Array(0));

function newSlab(): TextBytes {
  return textBytes(uninitialised(SLAB));
}

/** The memory of one batch while it is read. */
export class Arena {
  buffer = nothing.buffer;
  view = nothing.view;
  #used = 0;
  readonly #slabs: TextBytes[] = [];
  readonly #segments: Uint8Array<ArrayBuffer>[] = [];

  /** Start of `size` bytes in `this.buffer`, valid until the next call. */
  take(size: number): number {
    if (this.#used + size > this.buffer.length) {
      const slab = idleSlabs.pop() ?? newSlab();
      this.#slabs.push(slab);
      this.buffer = slab.buffer;
      this.view = slab.view;
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += size;
    return start;
  }

  takeSegment(): Uint8Array<ArrayBuffer> {
    const segment = idle.pop() ?? uninitialised(SEGMENT);
    this.#segments.push(segment);
    return segment;
  }

  /** The batch is finished and nothing in its memory is needed any more. */
  release(): void {
    for (const slab of this.#slabs) if (idleSlabs.length < MOST_IDLE_SLABS) idleSlabs.push(slab);
    this.#slabs.length = 0;
    this.buffer = nothing.buffer;
    this.view = nothing.view;
    for (const segment of this.#segments) if (idle.length < MOST_IDLE) idle.push(segment);
    this.#segments.length = 0;
  }
}

/** A closed part of a buffer. */
export interface Segment extends TextBytes {
  readonly start: number;
  readonly end: number;
}

/** Bytes written at the end, read anywhere. Positions are absolute in `buffer` and move when it grows. */
export class GrowingBytes {
  readonly #arena: Arena;
  /** Full segments before `buffer`, if this one may have some. What is written at one time stays together. */
  readonly segments: Segment[] | undefined;
  buffer: Uint8Array;
  view: DataView;
  /** First byte of the content, or of its last segment. */
  start: number;
  /** Behind the last byte of the content. */
  end: number;
  /** Behind the last byte that may be written. */
  limit: number;
  /** Where a writer stands that has not yet made its bytes part of the content. */
  cursor: number;
  /** Bytes of the content in full segments. */
  before = 0;

  constructor(arena: Arena, segments?: Segment[]) {
    this.#arena = arena;
    this.segments = segments;
    this.start = arena.take(FIRST);
    this.buffer = arena.buffer;
    this.view = arena.view;
    this.end = this.start;
    this.cursor = this.start;
    this.limit = this.start + FIRST;
  }

  /** Makes room for `more` bytes behind `at`, keeping what stands before; answers where `at` is now. */
  reserve(at: number, more: number): number {
    if (at + more <= this.limit) return at;
    const room = this.limit - this.start;
    if (this.segments !== undefined && 2 * room > SEGMENT) return this.#nextSegment(at, more, this.segments);
    return this.#move(this.start, at, Math.max(room < SMALL ? 4 * room : 2 * room, at - this.start + more));
  }

  /** Closes the segment and moves what is being written behind the content to the next one. */
  #nextSegment(at: number, more: number, segments: Segment[]): number {
    const { buffer, view, start, end } = this;
    if (end > start) segments.push({ buffer, view, start, end });
    this.before += end - start;
    const from = this.end;
    const writing = at - from;
    return this.#move(from, at, writing + more <= SEGMENT ? SEGMENT : 2 * (writing + more));
  }

  /** Goes on in `size` bytes of other memory with the bytes from `from` to `at`; answers where `at` is now. */
  #move(from: number, at: number, size: number): number {
    const old = { buffer: this.buffer, view: this.view };
    const ended = this.end - from;
    if (size < OWN) {
      this.start = this.#arena.take(size);
      this.buffer = this.#arena.buffer;
      this.view = this.#arena.view;
    } else {
      const buffer = size === SEGMENT ? this.#arena.takeSegment() : uninitialised(size);
      this.start = 0;
      this.buffer = buffer;
      this.view = new DataView(buffer.buffer);
    }
    copyShort(old, from, this, this.start, at - from);
    this.end = this.start + ended;
    this.limit = this.start + size;
    return this.start + at - from;
  }

  /** Appends `bytes`. */
  push(bytes: Uint8Array): void {
    this.end = this.reserve(this.end, bytes.length);
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** Appends `length` bytes that stand at `at`. */
  pushFrom(from: TextBytes, at: number, length: number): void {
    this.end = this.reserve(this.end, length);
    copyShort(from, at, this, this.end, length);
    this.end += length;
  }

  /** Appends a text as UTF-8; by hand as long as it is ASCII, which short ones are done with before a call into the runtime begins. */
  pushText(text: string): void {
    const { length } = text;
    const at = this.reserve(this.end, length);
    this.end = at;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return this.push(Buffer.from(text));
      this.buffer[at + i] = code;
    }
    this.end = at + length;
  }

  /** Appends one byte. */
  pushByte(byte: number): void {
    if (this.end === this.limit) this.reserve(this.end, 1);
    this.buffer[this.end++] = byte;
  }

  /** The content of a buffer without segments; valid until the next write. */
  content(): Uint8Array {
    return this.buffer.subarray(this.start, this.end);
  }

  /** Forgets the content and keeps the memory. */
  clear(): void {
    if (this.segments !== undefined) this.segments.length = 0;
    this.before = 0;
    this.end = this.start;
    this.cursor = this.start;
  }
}
