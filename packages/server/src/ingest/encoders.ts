import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type BatchUses, coreModule, deserializeBlock, type EncodeResult, type Placement } from '@millrace/events';
import { HttpError, httpError } from '../errors.js';
import type { BodyOptions, EncodedBody } from './encode-body.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './encoder-messages.js';
import { unpackUses } from './packed-uses.js';

/** The built file, even when this one runs from its source: threads cannot load TypeScript. */
const entry = fileURLToPath(new URL('../../dist/ingest/encoder-thread.js', import.meta.url));

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

interface Job {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly options: BodyOptions;
  readonly placement: Placement;
  readonly resolve: (encoded: EncodedBody) => void;
  readonly reject: (error: unknown) => void;
}

/** Encodes bodies in threads, so that a large one makes nobody else wait. A thread that dies fails only its own body. */
export class Encoders {
  readonly #options: EncoderOptions;
  /** Threads without work, and when each ends. */
  readonly #idle = new Map<EncoderThread, NodeJS.Timeout>();
  readonly #all = new Set<EncoderThread>();
  readonly #waiting: Job[] = [];
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
      const thread = this.#wake() ?? this.#start();
      if (thread === undefined) return;
      void this.#run(thread, this.#waiting.shift()!);
    }
  }

  async #run(thread: EncoderThread, job: Job): Promise<void> {
    await thread.run(job);
    if (this.#all.has(thread)) this.#rest(thread);
    this.#next();
  }

  /** The thread that has been idle for the shortest time, so that the others end when there is little to do. */
  #wake(): EncoderThread | undefined {
    const thread = [...this.#idle.keys()].at(-1);
    if (thread !== undefined) this.#forget(thread);
    return thread;
  }

  #rest(thread: EncoderThread): void {
    const { idleMilliseconds = restMilliseconds[thread.largest > largeBytes ? 'large' : 'ordinary'] } = this.#options;
    const end = setTimeout(() => {
      this.#forget(thread);
      void thread.end(undefined);
    }, idleMilliseconds);
    this.#idle.set(thread, end.unref());
  }

  #forget(thread: EncoderThread): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #start(): EncoderThread | undefined {
    if (this.#all.size >= this.#options.threads) return undefined;
    const thread = new EncoderThread(this.#options.heapMegabytes, () => {
      this.#all.delete(thread);
      this.#forget(thread);
      this.#next();
    });
    this.#all.add(thread);
    return thread;
  }
}

/** One thread and the body it is encoding. */
class EncoderThread {
  readonly #worker: Worker;
  readonly #decisions: MessagePort;
  readonly #decided = new Int32Array(new SharedArrayBuffer(4));
  #job: Job | undefined;
  /** The columns of the job, as they were asked for and placed. */
  #columns: Pick<EncodeResult, 'uses' | 'placed'> = noColumns;
  #over: () => void = () => undefined;
  #reason: unknown;
  /** Bytes of the largest body so far, with or without its content encoding. */
  largest = 0;

  /** @param ended called once, when the thread has ended */
  constructor(heapMegabytes: number, ended: () => void) {
    const { port1, port2 } = new MessageChannel();
    this.#decisions = port1;
    const start: EncoderStart = {
      core: coreModule(),
      decisions: port2,
      decided: this.#decided.buffer as SharedArrayBuffer,
    };
    this.#worker = new Worker(entry, {
      workerData: start,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      // The thread runs built code; flags this process was started with, such as loaders for TypeScript, are not passed on.
      execArgv: [],
    });
    port1.unref();
    this.#worker.unref();
    this.#worker.on('message', (reply: EncoderReply) => this.#replied(reply));
    this.#worker.on('error', (error) => (this.#reason ??= reasonOf(error)));
    this.#worker.on('exit', () => {
      this.#decisions.close();
      ended();
      const job = this.#job;
      if (job !== undefined)
        this.#settle(() => job.reject(this.#reason ?? new Error('an encoder thread ended by itself')));
    });
  }

  /** Resolves when the job is over, successful or not. */
  run(job: Job): Promise<void> {
    this.#job = job;
    this.#columns = noColumns;
    this.largest = Math.max(this.largest, job.bytes);
    this.#worker.ref();
    const request: EncodeRequest = { body: job.body, options: job.options };
    return new Promise((resolve) => {
      this.#over = resolve;
      this.#worker.postMessage(request, [job.body.buffer]);
    });
  }

  /** Ends the thread; its current job, if any, fails with the reason. */
  async end(reason: unknown): Promise<void> {
    this.#reason ??= reason;
    await this.#worker.terminate();
  }

  #replied(reply: EncoderReply): void {
    const job = this.#job;
    if (job === undefined) return;
    switch (reply.kind) {
      case 'place':
        return this.#place(job, unpackUses(reply.batch));
      case 'encoded': {
        const { rest, block, bodyBytes } = reply;
        this.largest = Math.max(this.largest, bodyBytes);
        const encoded = { ...rest, block: deserializeBlock(block), ...this.#columns };
        return this.#settle(() => job.resolve({ encoded, bodyBytes }));
      }
      case 'refused':
        return this.#settle(() => job.reject(new HttpError(reply.code, reply.message, {})));
    }
  }

  #place(job: Job, batch: BatchUses): void {
    try {
      const placed = job.placement.place(batch);
      this.#columns = { uses: batch.uses, placed };
      this.#decisions.postMessage(placed, []);
      Atomics.store(this.#decided, 0, 1);
      Atomics.notify(this.#decided, 0);
    } catch (error) {
      // The thread waits for a decision that will not come.
      void this.end(error);
    }
  }

  #settle(how: () => void): void {
    this.#job = undefined;
    this.#worker.unref();
    how();
    this.#over();
  }
}

const noColumns = { uses: [], placed: [] };

/** The error to report for what ended a thread. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? httpError('out-of-memory', {}, { cause: error })
    : error;

/** The bytes in a buffer that can be transferred because it holds nothing else; copied if they share theirs. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
