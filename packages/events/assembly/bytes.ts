import { copyLoosely, take, writeAscii } from './memory';

/** From this size on, a segmented buffer grows by another segment instead of being copied. */
const SEGMENT: usize = 1 << 18;

/**
 * A buffer written at its end and read anywhere. Growing it may move its content to other
 * addresses.
 */
export class Bytes {
  /** First byte of the content, or of its last segment. */
  start: usize;
  /** After the last byte of the content. */
  end: usize;
  /** After the last byte that may be written. */
  limit: usize;
  /** Bytes of the content in full segments. */
  before: usize = 0;
  /**
   * Whether it may grow by segments, without copying. Bytes reserved at once stay in one segment.
   */
  private readonly segmented: bool;
  /** Where each full segment begins and ends, once there are some. */
  private segments: Bytes | null = null;

  constructor(first: usize, segmented: bool = false) {
    this.start = take(first);
    this.end = this.start;
    this.limit = this.start + first;
    this.segmented = segmented;
  }

  get length(): usize {
    return this.before + this.end - this.start;
  }

  /** Reserves `more` bytes at the end; returns their address. */
  @inline reserve(more: usize): usize {
    if (this.end + more > this.limit) this.grow(more);
    return this.end;
  }

  private grow(more: usize): void {
    const size = this.end - this.start;
    const room = this.limit - this.start;
    if (this.segmented && room << 1 >= SEGMENT) {
      if (size > 0) this.closeSegment(size);
      this.move(0, max(SEGMENT, more));
    } else {
      this.move(size, max<usize>(room << 1, size + more));
    }
  }

  /** Moves to `size` bytes of new memory, which begin with the last `kept` bytes of the content. */
  private move(kept: usize, size: usize): void {
    const start = take(size);
    memory.copy(start, this.end - kept, kept);
    this.start = start;
    this.end = start + kept;
    this.limit = start + size;
  }

  @inline push(at: usize, length: usize): void {
    copyLoosely(this.reserve(length), at, length);
    this.end += length;
  }

  @inline push8(value: u8): void {
    store<u8>(this.reserve(1), value);
    this.end += 1;
  }

  @inline push32(value: i32): void {
    store<i32>(this.reserve(4), value);
    this.end += 4;
  }

  @inline push64(value: i64): void {
    store<i64>(this.reserve(8), value);
    this.end += 8;
  }

  private closeSegment(size: usize): void {
    let segments = this.segments;
    if (segments == null) this.segments = segments = new Bytes(64);
    if (segments.end + 8 > segments.limit) segments.grow(8);
    store<u32>(segments.end, <u32>this.start);
    store<u32>(segments.end, <u32>this.end, 4);
    segments.end += 8;
    this.before += size;
  }

  /** Drops the content and keeps the memory. */
  clear(): void {
    const segments = this.segments;
    if (segments != null) segments.clear();
    this.before = 0;
    this.end = this.start;
  }

  /** Number of segments, including the last one, which is open. */
  get segmentCount(): i32 {
    return this.closedCount + 1;
  }

  segmentStart(index: i32): usize {
    return index == this.closedCount ? this.start : load<u32>(this.closed(index));
  }

  segmentEnd(index: i32): usize {
    return index == this.closedCount ? this.end : load<u32>(this.closed(index), 4);
  }

  private get closedCount(): i32 {
    const segments = this.segments;
    return segments == null ? 0 : <i32>((segments.end - segments.start) >> 3);
  }

  /** The address of the entry that says where a full segment begins and ends. */
  private closed(index: i32): usize {
    return this.segments!.start + ((<usize>index) << 3);
  }
}

/** Appends an ASCII text. */
export function pushAscii(out: Bytes, text: string): void {
  const to = out.reserve(text.length);
  out.end = to + writeAscii(to, text);
}
