import { availableParallelism } from 'node:os';
import type { SteppedPlacement } from '@millrace/events';
import { httpError } from '../errors.js';
import { type Taken, TakenBytes } from '../memory/taken-bytes.js';
import { durationText } from '../settings/setting-units.js';
import type { BodyOptions, EncodedBody } from './encode-body.js';
import { ExpandedRoom } from './expanded-room.js';
import { type EncodeJob, EncoderWorker } from './encoder-worker.js';

export interface EncoderOptions {
  /** Most threads; each starts when it is needed. */
  readonly ingestThreads: number;
  /** Heap of a thread, MiB. The memory of bodies and columns lies outside the heap. */
  readonly heapMegabytes: number;
  /** How long one body may take. Default: as long as it likes. */
  readonly encodeTimeout?: number;
  /**
   * What large bodies that are encoded at the same time may expand to. Default: as much as they
   * like.
   */
  readonly expandedBytes?: number;
  /**
   * A thread ends after this time without work. Default 40 s, or 20 s once it has had a large body.
   */
  readonly idleMilliseconds?: number;
}

/**
 * An idle thread stays for a while, because a new one has to compile its code and touch its memory
 * again: long enough for a client that sends twice a minute, less if the thread still has the
 * memory of a large body, because a server at rest should be small.
 */
const restMilliseconds = { ordinary: 40_000, large: 20_000 };
const largeBytes = 16 * 2 ** 20;
interface Waiting extends BodySender {
  readonly job: EncodeJob;
}

/** More threads than this only wait for the log and the engine. */
const mostThreads = 4;

/** How many threads a setting of 0 means. */
export const defaultThreads = (): number => Math.min(mostThreads, availableParallelism());

/** For whom a body is encoded. */
export interface BodySender {
  /** Threads are given to one token after another. */
  readonly token: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The server itself. */
const nobody = (): BodySender => ({ token: '', signal: new AbortController().signal });

/**
 * The time limit is the fault of the body, and so is a client that does not wait for the answer.
 */
const endless = (milliseconds: number) =>
  httpError('invalid-events', {
    problem: `reading them takes longer than ${durationText(milliseconds)}; send fewer at once`,
  });
export const clientLeft = () => httpError('invalid-events', { problem: 'the client left before they were read' });

/**
 * Encodes bodies in threads, so that a large one makes nobody else wait. A thread that dies fails
 * only its own body. The next body is one of the token that has the fewest under way, and there is
 * one thread more for tokens that have none, so that nobody waits for the long bodies of others.
 */
export class Encoders {
  readonly #options: EncoderOptions;
  /** Threads without work, and when each ends. */
  readonly #idle = new Map<EncoderWorker, NodeJS.Timeout>();
  readonly #all = new Set<EncoderWorker>();
  readonly #waiting: Waiting[] = [];
  /** When each token had its last turn, counted in turns; forgotten when nobody waits. */
  readonly #begun = new Map<string, number>();
  #turns = 0;
  /** Bodies under way, by token. */
  readonly #running = new Map<string, number>();
  readonly #room: ExpandedRoom;
  readonly #taken = new TakenBytes();
  #closed = false;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#room = new ExpandedRoom(options.expandedBytes ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Bytes, as sent, of the bodies that are being encoded or wait for a thread, and how much of that
   * is of one token.
   */
  takenBy(token: string): Taken {
    return this.#taken.of(token);
  }

  /** Number of threads, busy or idle. */
  get threads(): number {
    return this.#all.size;
  }

  /**
   * Encodes a body in a thread. The memory of the body is transferred and cannot be used
   * afterwards. `placement` is asked in this thread, in the order in which the encoder threads ask.
   * @throws HttpError if the body is wrong; `out-of-memory` when the thread ran out of memory;
   * `shutting-down`
   */
  async encode(
    sent: Uint8Array,
    options: BodyOptions,
    placement: SteppedPlacement,
    { token, signal }: BodySender = nobody(),
  ): Promise<EncodedBody> {
    if (this.#closed) throw httpError('shutting-down', {});
    if (signal.aborted) throw clientLeft();
    const body = owned(sent);
    const bytes = body.byteLength;
    this.#taken.add(token, bytes);
    const leave = (): void => {
      const at = this.#waiting.findIndex(({ job }) => job.body === body);
      if (at >= 0) this.#waiting.splice(at, 1)[0]!.job.reject(clientLeft());
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({
          token,
          signal,
          job: { body, bytes, options, placement, token, room: this.#room, resolve, reject },
        });
        signal.addEventListener('abort', leave);
        this.#next();
      });
    } finally {
      signal.removeEventListener('abort', leave);
      this.#taken.add(token, -bytes);
    }
  }

  /** Ends the threads; bodies being encoded or waiting are refused as `shutting-down`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { job } of this.#waiting.splice(0)) job.reject(httpError('shutting-down', {}));
    await Promise.all([...this.#all].map((thread) => thread.end(httpError('shutting-down', {}))));
  }

  #next(): void {
    if (this.#waiting.length === 0) this.#begun.clear();
    while (this.#waiting.length > 0 && !this.#closed) {
      try {
        const next = this.#fairest();
        const thread = this.#hasRoomFor(next) ? (this.#wake() ?? this.#start()) : undefined;
        if (thread === undefined) return;
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        this.#begun.set(next.token, ++this.#turns);
        void this.#run(thread, next);
      } catch (error) {
        // The system allows no more threads. Those there are take the body when they are free; if
        // there are none, nobody would.
        if (this.#all.size > 0) return;
        this.#waiting.shift()!.job.reject(error);
      }
    }
  }

  async #run(thread: EncoderWorker, { token, signal, job }: Waiting): Promise<void> {
    const { encodeTimeout: milliseconds } = this.#options;
    const late =
      milliseconds === undefined ? undefined : setTimeout(() => void thread.end(endless(milliseconds)), milliseconds);
    const leave = (): void => void thread.end(clientLeft());
    this.#running.set(token, this.#runningOf(token) + 1);
    signal.addEventListener('abort', leave);
    await thread.run(job);
    signal.removeEventListener('abort', leave);
    clearTimeout(late);
    const running = this.#runningOf(token) - 1;
    if (running > 0) this.#running.set(token, running);
    else this.#running.delete(token);
    if (this.#all.has(thread)) {
      if (thread.isSpent) await thread.end(undefined);
      else this.#rest(thread);
    }
    this.#next();
  }

  #runningOf = (token: string): number => this.#running.get(token) ?? 0;

  /**
   * The next body: of the token that has the fewest under way, of those of the one that had its
   * turn longest ago, and of its bodies the first.
   */
  #fairest(): Waiting {
    return this.#waiting.reduce((best, one) => {
      const order =
        this.#runningOf(one.token) - this.#runningOf(best.token) || this.#begunOf(one) - this.#begunOf(best);
      return order < 0 ? one : best;
    });
  }

  #begunOf = ({ token }: Waiting): number => this.#begun.get(token) ?? 0;

  #hasRoomFor({ token }: Waiting): boolean {
    const running = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    return running < this.#options.ingestThreads + (this.#runningOf(token) === 0 && running > 0 ? 1 : 0);
  }

  /**
   * The thread that has been idle for the shortest time, so that the others end when there is
   * little to do.
   */
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
    if (this.#all.size > this.#options.ingestThreads) return undefined;
    const thread = new EncoderWorker(this.#options.heapMegabytes, () => {
      this.#all.delete(thread);
      this.#forget(thread);
      this.#next();
    });
    this.#all.add(thread);
    return thread;
  }
}

/**
 * The bytes in a buffer that can be transferred because it holds nothing else; copied if they share
 * theirs.
 */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
