import type { DatagramReader } from '../sockets/socket-protocol.js';

/** First bytes of a chunk: magic, message ID, sequence number, number of chunks. */
const magic = 0x1e0f;
const headBytes = 12;
/** The most chunks that the specification allows. */
const maxChunks = 128;
/** Memory of an incomplete message in addition to the content of its chunks. */
const messageOverhead = 512;
const overheadPerChunk = 8;
const overheadOf = ({ chunks }: Pick<Incomplete, 'chunks'>): number =>
  messageOverhead + overheadPerChunk * chunks.length;

interface Incomplete {
  readonly chunks: (Buffer | undefined)[];
  readonly arrived: number;
  missing: number;
  bytes: number;
}

interface ChunkLimits {
  /** Milliseconds within which all chunks of a message must arrive. */
  readonly timeout: number;
  readonly messageBytes: number;
  /** Memory of all incomplete messages. */
  readonly maxBufferedBytes: number;
}

/**
 * Joins the chunks of datagrams. Drops messages whose chunks do not all arrive in time, and the
 * oldest ones beyond the limit, and counts their datagrams.
 */
export class Chunks implements DatagramReader {
  readonly #limits: ChunkLimits;
  readonly #drop: (datagrams: number) => void;
  readonly #clock: () => number;
  /** By sender and message ID, the oldest first. */
  readonly #incomplete = new Map<string, Incomplete>();
  #bytes = 0;
  /** Runs only while messages are incomplete. */
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ChunkLimits, drop: (datagrams: number) => void, clock: () => number = Date.now) {
    this.#limits = limits;
    this.#drop = drop;
    this.#clock = clock;
  }

  /** Returns the message that a datagram is or completes. */
  take(datagram: Buffer, from: string): Buffer | undefined {
    if (datagram.length < 2 || datagram.readUInt16BE(0) !== magic) return datagram;
    this.#expire();
    const count = datagram[headBytes - 1] ?? 0;
    const number = datagram[headBytes - 2] ?? 0;
    if (datagram.length < headBytes || count > maxChunks || number >= count) return this.#dropDatagrams(1);
    const key = `${from} ${datagram.toString('latin1', 2, headBytes - 2)}`;
    const found = this.#incomplete.get(key) ?? this.#begin(key, count);
    if (found.chunks.length !== count || found.chunks[number] !== undefined) return this.#dropDatagrams(1);
    // A copy, because a datagram may share its memory with others.
    const chunk = Buffer.from(datagram.subarray(headBytes));
    found.chunks[number] = chunk;
    found.bytes += chunk.length;
    this.#bytes += chunk.length;
    if (--found.missing === 0) {
      this.#forget(key, found);
      return Buffer.concat(found.chunks as Buffer[]);
    }
    if (found.bytes > this.#limits.messageBytes) this.#give(key, found);
    while (this.#bytes > this.#limits.maxBufferedBytes) this.#give(...(this.#oldest() ?? [key, found]));
    return undefined;
  }

  /** Drops incomplete messages. */
  close(): void {
    for (const [key, found] of this.#incomplete) this.#give(key, found);
  }

  #begin(key: string, count: number): Incomplete {
    const chunks = Array.from<undefined>({ length: count }).fill(undefined);
    const begun = { chunks, arrived: this.#clock(), missing: count, bytes: 0 };
    this.#bytes += overheadOf(begun);
    this.#incomplete.set(key, begun);
    this.#timer ??= setTimeout(() => this.#expire(), this.#limits.timeout);
    return begun;
  }

  #expire(): void {
    const since = this.#clock() - this.#limits.timeout;
    for (let first = this.#oldest(); first !== undefined && first[1].arrived <= since; first = this.#oldest())
      this.#give(...first);
    clearTimeout(this.#timer);
    const next = this.#oldest();
    this.#timer =
      next === undefined ? undefined : setTimeout(() => this.#expire(), Math.max(1, next[1].arrived - since));
  }

  #oldest(): readonly [string, Incomplete] | undefined {
    return this.#incomplete.entries().next().value;
  }

  /** Gives up a message. */
  #give(key: string, found: Incomplete): void {
    this.#forget(key, found);
    this.#drop(found.chunks.length - found.missing);
  }

  #forget(key: string, found: Incomplete): void {
    this.#incomplete.delete(key);
    this.#bytes -= found.bytes + overheadOf(found);
    if (this.#incomplete.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #dropDatagrams(datagrams: number): undefined {
    this.#drop(datagrams);
  }
}
