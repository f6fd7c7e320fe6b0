import { randomInt } from 'node:crypto';
import type { Series } from './row-writer.js';

/** Maximum memory; beyond, the cache starts empty again. */
const maxBytes = 64 * 2 ** 20;
/** Estimated memory of a series in addition to its labels. */
const seriesBytes = 128;
/** Probes before a series counts as unknown: bounds the cost of crafted collisions. */
const maxProbes = 32;
const firstSlots = 1024;

interface CachedSeries {
  readonly series: Series;
  readonly space: number;
  readonly hash: number;
  /** Where the bytes of its labels are. */
  readonly start: number;
  readonly length: number;
}

/** Bytes, and a view of them. */
export interface LabelSource {
  readonly body: Buffer;
  readonly words: DataView;
}

/**
 * Series by the bytes of their labels as a protocol sends them, so that repeated labels are neither
 * decoded nor hashed again. Each thread has its own; forgetting series costs time only. A `space`
 * is a dataset and a protocol: equal bytes in different spaces are different series.
 */
export class SeriesCache {
  #bytes = Buffer.alloc(64 * 1024);
  #length = 0;
  #entries: CachedSeries[] = [];
  /** Entry + 1 in open addressing; 0 is free. */
  #slots = new Int32Array(firstSlots);
  /** Unknown to senders. */
  readonly #seed = randomInt(2 ** 31);

  find(space: number, source: LabelSource, start: number, end: number): Series | undefined {
    const hash = hashOf(source, start, end, this.#seed ^ space);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let probe = 0; probe < maxProbes; probe++, slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === 0) return undefined;
      const entry = this.#entries[number - 1]!;
      const isLikely = entry.hash === hash && entry.length === end - start && entry.space === space;
      if (isLikely && this.#isEqual(entry, source.body, start)) return entry.series;
    }
    return undefined;
  }

  #isEqual({ start, length }: CachedSeries, source: Buffer, from: number): boolean {
    return this.#bytes.compare(source, from, from + length, start, start + length) === 0;
  }

  add(space: number, source: LabelSource, start: number, end: number, series: Series): void {
    const length = end - start;
    if (length > maxBytes) return;
    if (this.#length + length + seriesBytes * this.#entries.length > maxBytes) this.#clear();
    this.#reserve(length);
    source.body.copy(this.#bytes, this.#length, start, end);
    const hash = hashOf(source, start, end, this.#seed ^ space);
    this.#entries.push({ series, space, hash, start: this.#length, length });
    this.#length += length;
    if (2 * this.#entries.length > this.#slots.length) this.#rehash();
    else this.#place(this.#entries.length - 1);
  }

  #clear(): void {
    this.#bytes = Buffer.alloc(64 * 1024);
    this.#length = 0;
    this.#entries = [];
    this.#slots = new Int32Array(firstSlots);
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, 2 * (this.#length + length)));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }

  #rehash(): void {
    this.#slots = new Int32Array(4 * this.#slots.length);
    for (const number of this.#entries.keys()) this.#place(number);
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#entries[number]!.hash & mask;
    for (let probe = 0; probe < maxProbes; probe++, slot = (slot + 1) & mask) {
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = number + 1;
      return;
    }
  }
}

/** Mixes words, then the bytes that are left. */
function hashOf({ body, words }: LabelSource, start: number, end: number, seed: number): number {
  let hash = seed ^ (end - start);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ words.getInt32(at), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ body[at]!, 0x85eb_ca77);
  return hash ^ (hash >>> 13);
}

/** The cache of this thread. */
export const seriesCache = new SeriesCache();
