import { availableParallelism } from 'node:os';
import type { SteppedPlacement } from '@millrace/events';
import { httpError } from '@millrace/api/errors';
import { type Usage, ByteUsage } from '@millrace/runtime/memory/fair-share';
import { durationText } from '@millrace/http/settings/setting-units';
import type { BodyOptions, EncodedBody } from './encode-body.js';
import { DecompressionBudget } from './decompression-budget.js';
import { type EncodeJob, EncoderWorker } from './encoder-worker.js';

export interface EncoderOptions {
  /** Maximum threads; each starts on demand. */
  readonly ingestThreads: number;
  /** Heap of a thread, MiB. The memory of bodies and columns lies outside the heap. */
  readonly heapMegabytes: number;
  /** Time limit per body. Default: unlimited. */
  readonly encodeTimeout?: number;
  /**
   * Maximum total expanded size of large bodies that are encoded at the same time. Default:
   * unlimited.
   */
  readonly expandedBytes?: number;
  /**
   * A thread ends after this time without work. Default 40 s, or 20 s once it has had a large body.
   */
  readonly idleMilliseconds?: number;
}

/**
 * Idle timeout of threads. A new thread has to compile its code and touch its memory again, so it
 * should survive between requests of a client that sends twice a minute; shorter if the thread
 * still has the memory of a large body, because an idle server should be small.
 */
const idleTimeouts = { ordinary: 40_000, large: 20_000 };
const largeBytes = 16 * 2 ** 20;
interface QueuedBody extends BodySender {
  readonly job: EncodeJob;
}

/** More threads than this only wait for the log and the engine. */
const maxThreads = 4;

/** Default number of threads, for a setting of 0. */
export const defaultThreads = (): number => Math.min(maxThreads, availableParallelism());

/** Sender of a body. */
export interface BodySender {
  /** Threads are assigned to tokens in turn. */
  readonly token: string;
  /** Aborts when the client stops waiting for the response. */
  readonly signal: AbortSignal;
}

/** The server itself. */
const internalSender = (): BodySender => ({ token: '', signal: new AbortController().signal });

/**
 * Errors for a body over the time limit, and for a client that disconnected: both are client
 * errors.
 */
const timeLimitExceeded = (milliseconds: number) =>
  httpError('invalid-events', {
    problem: `parsing exceeded ${durationText(milliseconds)}; send fewer events per request`,
  });
export const clientDisconnected = () =>
  httpError('invalid-events', { problem: 'the client disconnected before they were read' });

/**
 * Encodes bodies in threads, so that large ones do not block others. A thread that crashes fails
 * only its current body. The next body belongs to the token with the fewest in progress. One extra
 * thread is reserved for tokens that have none, so that they do not wait for long bodies of others.
 */
export class Encoders {
  readonly #options: EncoderOptions;
  /** Threads without work, and when each ends. */
  readonly #idle = new Map<EncoderWorker, NodeJS.Timeout>();
  readonly #threads = new Set<EncoderWorker>();
  readonly #queue: QueuedBody[] = [];
  /** When each token was last served, as a sequence number; cleared when the queue is empty. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  /** Bodies in progress, by token. */
  readonly #runningCounts = new Map<string, number>();
  readonly #budget: DecompressionBudget;
  readonly #usage = new ByteUsage();
  #isClosed = false;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#budget = new DecompressionBudget(options.expandedBytes ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Bytes, as sent, of the bodies that are being encoded or wait for a thread, and how much of that
   * is of one token.
   */
  usageOf(token: string): Usage {
    return this.#usage.of(token);
  }

  /** Number of threads, busy or idle. */
  get threads(): number {
    return this.#threads.size;
  }

  /**
   * Encodes a body in a thread. The memory of the body is transferred and cannot be used
   * afterwards. `placement` is called in this thread, in the order of the requests of the encoder
   * threads.
   * @throws HttpError if the body is invalid; `out-of-memory` when the thread ran out of memory;
   * `shutting-down`
   */
  async encode(
    source: Uint8Array,
    options: BodyOptions,
    placement: SteppedPlacement,
    { token, signal }: BodySender = internalSender(),
  ): Promise<EncodedBody> {
    if (this.#isClosed) throw httpError('shutting-down', {});
    if (signal.aborted) throw clientDisconnected();
    const body = transferable(source);
    const bytes = body.byteLength;
    this.#usage.add(token, bytes);
    const cancel = (): void => {
      const index = this.#queue.findIndex(({ job }) => job.body === body);
      if (index >= 0) this.#queue.splice(index, 1)[0]!.job.reject(clientDisconnected());
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#queue.push({
          token,
          signal,
          job: { body, bytes, options, placement, token, budget: this.#budget, resolve, reject },
        });
        signal.addEventListener('abort', cancel);
        this.#startNext();
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#usage.add(token, -bytes);
    }
  }

  /** Ends the threads; bodies in progress or queued fail with `shutting-down`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { job } of this.#queue.splice(0)) job.reject(httpError('shutting-down', {}));
    await Promise.all([...this.#threads].map((thread) => thread.end(httpError('shutting-down', {}))));
  }

  #startNext(): void {
    if (this.#queue.length === 0) this.#lastTurns.clear();
    while (this.#queue.length > 0 && !this.#isClosed) {
      try {
        const next = this.#selectNext();
        const thread = this.#hasThreadFor(next) ? (this.#takeIdle() ?? this.#start()) : undefined;
        if (thread === undefined) return;
        this.#queue.splice(this.#queue.indexOf(next), 1);
        this.#lastTurns.set(next.token, ++this.#turns);
        void this.#run(thread, next);
      } catch (error) {
        // The system allows no more threads. A running thread takes the body when it is free;
        // without any, the body fails.
        if (this.#threads.size > 0) return;
        this.#queue.shift()!.job.reject(error);
      }
    }
  }

  async #run(thread: EncoderWorker, { token, signal, job }: QueuedBody): Promise<void> {
    const { encodeTimeout: milliseconds } = this.#options;
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => void thread.end(timeLimitExceeded(milliseconds)), milliseconds);
    const cancel = (): void => void thread.end(clientDisconnected());
    this.#runningCounts.set(token, this.#runningOf(token) + 1);
    signal.addEventListener('abort', cancel);
    await thread.run(job);
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
    const running = this.#runningOf(token) - 1;
    if (running > 0) this.#runningCounts.set(token, running);
    else this.#runningCounts.delete(token);
    if (this.#threads.has(thread)) {
      if (thread.isSpent) await thread.end(undefined);
      else this.#keepIdle(thread);
    }
    this.#startNext();
  }

  #runningOf = (token: string): number => this.#runningCounts.get(token) ?? 0;

  /**
   * Selects the next body: from the token with the fewest in progress, then the least recently
   * served token, then first in, first out.
   */
  #selectNext(): QueuedBody {
    return this.#queue.reduce((best, one) => {
      const order =
        this.#runningOf(one.token) - this.#runningOf(best.token) || this.#lastTurnOf(one) - this.#lastTurnOf(best);
      return order < 0 ? one : best;
    });
  }

  #lastTurnOf = ({ token }: QueuedBody): number => this.#lastTurns.get(token) ?? 0;

  #hasThreadFor({ token }: QueuedBody): boolean {
    const running = [...this.#runningCounts.values()].reduce((sum, count) => sum + count, 0);
    return running < this.#options.ingestThreads + (this.#runningOf(token) === 0 && running > 0 ? 1 : 0);
  }

  /**
   * Returns the thread that has been idle for the shortest time, so that the others exit under low
   * load.
   */
  #takeIdle(): EncoderWorker | undefined {
    const thread = [...this.#idle.keys()].at(-1);
    if (thread !== undefined) this.#removeIdle(thread);
    return thread;
  }

  #keepIdle(thread: EncoderWorker): void {
    const { idleMilliseconds = idleTimeouts[thread.largestBody > largeBytes ? 'large' : 'ordinary'] } = this.#options;
    const end = setTimeout(() => {
      this.#removeIdle(thread);
      void thread.end(undefined);
    }, idleMilliseconds);
    this.#idle.set(thread, end.unref());
  }

  #removeIdle(thread: EncoderWorker): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #start(): EncoderWorker | undefined {
    if (this.#threads.size > this.#options.ingestThreads) return undefined;
    const thread = new EncoderWorker(this.#options.heapMegabytes, () => {
      this.#threads.delete(thread);
      this.#removeIdle(thread);
      this.#startNext();
    });
    this.#threads.add(thread);
    return thread;
  }
}

/**
 * Bytes whose buffer can be transferred, because it contains nothing else; a copy if the buffer is
 * shared.
 */
function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
