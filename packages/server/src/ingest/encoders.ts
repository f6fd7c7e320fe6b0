import { availableParallelism } from 'node:os';
import type { Placement } from '@millrace/events';
import { httpError } from '../errors.js';
import type { BodyOptions, EncodedBody } from './encode-body.js';
import { type EncodeJob, EncoderWorker } from './encoder-worker.js';

export interface EncoderOptions {
  /** Most threads; each starts when it is needed. */
  readonly threads: number;
  /** Heap of a thread, MiB. The memory of bodies and columns lies outside the heap. */
  readonly heapMegabytes: number;
  /** A thread ends after this time without work. Default 40 s, or 20 s once it has had a large body. */
  readonly idleMilliseconds?: number;
}

/**
 * An idle thread stays for a while, because a new one has to compile its code and touch its memory again: long enough for a client that sends
 * twice a minute, less if the thread still has the memory of a large body, because a server at rest should be small.
 */
const restMilliseconds = { ordinary: 40_000, large: 20_000 };
const largeBytes = 16 * 2 ** 20;

/** More threads than this only wait for the log and the engine. */
const mostThreads = 4;

/** How many threads a setting of 0 means. */
export const defaultThreads = (): number => Math.min(mostThreads, availableParallelism());

/** Encodes bodies in threads, so that a large one makes nobody else wait. A thread that dies fails only its own body. */
export class Encoders {
  readonly #options: EncoderOptions;
  /** Threads without work, and when each ends. */
  readonly #idle = new Map<EncoderWorker, NodeJS.Timeout>();
  readonly #all = new Set<EncoderWorker>();
  readonly #waiting: EncodeJob[] = [];
  #bytes = 0;
  #closed = false;

  constructor(options: EncoderOptions) {
    this.#options = options;
  }

  /** Bytes, as sent, of the bodies that are being encoded or wait for a thread. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** Number of threads, busy or idle. */
  get threads(): number {
    return this.#all.size;
  }

  /**
   * Encodes a body in a thread. The memory of the body is transferred and cannot be used afterwards. `placement` is asked in this thread, in the order
   * in which the encoder threads ask.
   * @throws HttpError if the body is wrong; `out-of-memory` when the thread ran out of memory; `shutting-down`
   */
  async encode(sent: Uint8Array, options: BodyOptions, placement: Placement): Promise<EncodedBody> {
    if (this.#closed) throw httpError('shutting-down', {});
    const body = owned(sent);
    const bytes = body.byteLength;
    this.#bytes += bytes;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ body, bytes, options, placement, resolve, reject });
        this.#next();
      });
    } finally {
      this.#bytes -= bytes;
    }
  }

  /** Ends the threads; bodies being encoded or waiting are refused as `shutting-down`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(httpError('shutting-down', {}));
    await Promise.all([...this.#all].map((thread) => thread.end(httpError('shutting-down', {}))));
  }

  #next(): void {
    while (this.#waiting.length > 0 && !this.#closed) {
      try {
        const thread = this.#wake() ?? this.#start();
        if (thread === undefined) return;
        void this.#run(thread, this.#waiting.shift()!);
      } catch (error) {
        // The system allows no more threads. Those there are take the body when they are free; if there are none, nobody would.
        if (this.#all.size > 0) return;
        this.#waiting.shift()!.reject(error);
      }
    }
  }

  async #run(thread: EncoderWorker, job: EncodeJob): Promise<void> {
    await thread.run(job);
    if (this.#all.has(thread)) this.#rest(thread);
    this.#next();
  }

  /** The thread that has been idle for the shortest time, so that the others end when there is little to do. */
  #wake(): EncoderWorker | undefined {
    const thread = [...this.#idle.keys()].at(-1);
    if (thread !== undefined) this.#forget(thread);
    return thread;
  }

  #rest(thread: EncoderWorker): void {
    const { idleMilliseconds = restMilliseconds[thread.largest > largeBytes ? 'large' : 'ordinary'] } = this.#options;
    const end = setTimeout(() => {
      this.#forget(thread);
      void thread.end(undefined);
    }, idleMilliseconds);
    this.#idle.set(thread, end.unref());
  }

  #forget(thread: EncoderWorker): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #start(): EncoderWorker | undefined {
    if (this.#all.size >= this.#options.threads) return undefined;
    const thread = new EncoderWorker(this.#options.heapMegabytes, () => {
      this.#all.delete(thread);
      this.#forget(thread);
      this.#next();
    });
    this.#all.add(thread);
    return thread;
  }
}

/** The bytes in a buffer that can be transferred because it holds nothing else; copied if they share theirs. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
