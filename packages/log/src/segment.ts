import { type FrameHeader, frameHeaderBytes, segmentHeaderBytes, segmentName, type SegmentHeader } from './format.js';

/**
 * The index has at most one entry per this many bytes: bounds its memory, and how far a lookup has
 * to scan.
 */
const indexEveryBytes = 64 * 1024;

/** One segment file: everything up to `length` is on disk. */
export class Segment {
  readonly header: SegmentHeader;
  length = segmentHeaderBytes;
  frames = 0;
  lastPosition = 0n;
  /** Where the newest group commit begins. */
  lastGroupOffset = segmentHeaderBytes;
  /** Set before the file is deleted, so that a reader that finds it missing knows why. */
  isReleased = false;
  readonly #index: { readonly position: bigint; readonly offset: number }[] = [];

  constructor(header: SegmentHeader) {
    this.header = header;
  }

  get name(): string {
    return segmentName(this.header.firstPosition);
  }

  /** Adds the frame that starts at the current `length`. */
  add(frame: Pick<FrameHeader, 'position' | 'payloadBytes' | 'groupOffset'>): void {
    const last = this.#index.at(-1);
    if (last === undefined || this.length - last.offset >= indexEveryBytes) {
      this.#index.push({ position: frame.position, offset: this.length });
    }
    this.length += frameHeaderBytes + frame.payloadBytes;
    this.frames++;
    this.lastPosition = frame.position;
    this.lastGroupOffset = frame.groupOffset;
  }

  /** The offset of a frame at or shortly before `position`. */
  offsetNear(position: bigint): number {
    let low = 0;
    let high = this.#index.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#index[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return this.#index[low - 1]?.offset ?? segmentHeaderBytes;
  }
}
