import { crc32c } from './crc32c.js';
import type { LogFile } from './file-system.js';
import {
  decodeFrameHeader,
  type FrameHeader,
  frameHeaderBytes,
  segmentHeaderBytes,
  type SegmentHeader,
  viewOf,
} from './format.js';

/** Bytes read at a time; a longer frame is read on its own. */
const blockBytes = 256 * 1024;

interface ScannedFrame {
  readonly header: FrameHeader;
  readonly offset: number;
  /** Shares memory with the frames read in the same block; the block is never reused. */
  readonly payload: Uint8Array;
}

/** Where and why a scan stopped before its end. */
export interface Corruption {
  readonly offset: number;
  readonly reason: string;
}

/** Reads the frames of one segment in order and checks everything there is to check. */
export class FrameScanner {
  readonly #file: LogFile;
  readonly #header: SegmentHeader;
  readonly #end: number;
  #offset: number;
  #previous: Pick<FrameHeader, 'position' | 'groupOffset'> | undefined;
  #damage: Corruption | undefined;

  /** Scans from the frame at `offset` (default: the first one) to `end`, both byte offsets. */
  constructor(file: LogFile, header: SegmentHeader, end: number, offset = segmentHeaderBytes) {
    this.#file = file;
    this.#header = header;
    this.#end = end;
    this.#offset = offset;
  }

  /** Set once `next` met bytes that are not the next frame. */
  get damage(): Corruption | undefined {
    return this.#damage;
  }

  /** The next frames, at least one; empty at the end and at damage. */
  async next(): Promise<readonly ScannedFrame[]> {
    const frames: ScannedFrame[] = [];
    if (this.#damage !== undefined || this.#offset >= this.#end) return frames;
    let block = await this.#load(blockBytes);
    let view = viewOf(block);
    let at = 0;
    while (this.#damage === undefined && this.#offset < this.#end) {
      if (block.length - at < frameHeaderBytes) {
        if (frames.length === 0) this.#fail('the file ends inside a frame header');
        break;
      }
      const header = decodeFrameHeader(block, view, at, this.#header.salt);
      if (header === undefined) {
        this.#fail('the frame header does not match its checksum');
        break;
      }
      const misfit = this.#misfit(header);
      if (misfit !== undefined) {
        this.#fail(misfit);
        break;
      }
      const bytes = frameHeaderBytes + header.payloadBytes;
      if (block.length - at < bytes) {
        if (frames.length > 0) break;
        block = await this.#load(bytes);
        view = viewOf(block);
        at = 0;
        if (block.length < bytes) {
          this.#fail('the file ends inside a payload');
          break;
        }
      }
      const payload = block.subarray(at + frameHeaderBytes, at + bytes);
      if (crc32c(payload) !== header.payloadCrc) {
        this.#fail('the payload does not match its checksum');
        break;
      }
      frames.push({ header, offset: this.#offset, payload });
      this.#previous = header;
      this.#offset += bytes;
      at += bytes;
    }
    // Damage shows only after the good frames before it have been returned.
    return frames;
  }

  #fail(reason: string): void {
    this.#damage = { offset: this.#offset, reason };
  }

  /** Why a header with a good checksum cannot stand here. */
  #misfit(header: FrameHeader): string | undefined {
    const previous = this.#previous;
    const first = this.#offset === segmentHeaderBytes;
    if (first && header.position !== this.#header.firstPosition) return 'the first frame has another position';
    if (header.position <= (previous?.position ?? 0n)) return 'the position is not above the one before';
    const startsGroup = header.groupOffset === this.#offset;
    const continuesGroup = !first && (previous === undefined || header.groupOffset === previous.groupOffset);
    if (!startsGroup && !continuesGroup) return 'the frame belongs to another group';
    if (this.#offset + frameHeaderBytes + header.payloadBytes > this.#end) return 'the file ends inside a payload';
    return undefined;
  }

  async #load(bytes: number): Promise<Uint8Array> {
    const block = new Uint8Array(Math.min(bytes, this.#end - this.#offset));
    return block.subarray(0, await this.#file.read(block, this.#offset));
  }
}
