import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type BatchFieldStats,
  coreModule,
  deserializeBlock,
  type EncodeResult,
  type SteppedPlacement,
} from '@millrace/events';
import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import { HttpError, httpError } from '@millrace/api/errors';
import type { BodyOptions, EncodedBody } from './encode-body.js';
import type { EncodeRequest, EncoderReply, EncoderStart } from './encoder-messages.js';
import type { DecompressionBudget, Place } from './decompression-budget.js';
import { unpackUses } from './field-stats-codec.js';

/** The built file, even when this one runs from its source: threads cannot load TypeScript. */
const entry = fileURLToPath(new URL('../dist/encoder-thread.js', import.meta.url));

/** A thread exits after a body of this size: its heap stays several times as large. */
const hugeBytes = 64 * 2 ** 20;

export interface EncodeJob {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly options: BodyOptions;
  readonly placement: SteppedPlacement;
  /** Token of the sender. */
  readonly token: string;
  /** Shared memory budget of large bodies. */
  readonly room: DecompressionBudget;
  readonly resolve: (encoded: EncodedBody) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread and the body it is encoding. */
export class EncoderWorker {
  readonly #worker: Worker;
  readonly #decisions: MessagePort;
  readonly #decided = new Int32Array(new SharedArrayBuffer(4));
  #job: EncodeJob | undefined;
  /** The columns of the job, as requested and placed. */
  #columns: Pick<EncodeResult, 'uses' | 'placed'> = noColumns;
  /** Memory reservation of a large body. */
  #place: Place | undefined;
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
      // The thread runs built code; flags this process was started with, such as loaders for
      // TypeScript, are not passed on.
      execArgv: [],
    });
    port1.unref();
    this.#worker.unref();
    this.#worker.on('message', (reply: EncoderReply) => this.#replied(reply));
    this.#worker.on('error', (error) => (this.#reason ??= reasonOf(error)));
    this.#worker.on('exit', () => {
      this.#decisions.close();
      ended();
      this.#leave();
      const job = this.#job;
      if (job !== undefined)
        this.#settle(() => job.reject(this.#reason ?? new Error('an encoder thread exited unexpectedly')));
    });
  }

  /** Resolves when the job is over, successful or not. */
  run(job: EncodeJob): Promise<void> {
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

  /** Whether the thread should exit instead of encoding another body. */
  get isSpent(): boolean {
    return this.largest > hugeBytes;
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
      case 'expanded':
        return void this.#wait(job, reply.bytes);
      case 'place':
        return void this.#decide(job, unpackUses(reply.batch));
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

  /** A body that turns out larger than estimated is queued again. */
  async #wait(job: EncodeJob, bytes: number): Promise<void> {
    this.largest = Math.max(this.largest, bytes);
    if (this.#place === undefined || !this.#place.shrink(bytes)) {
      this.#place?.leave();
      const place = job.room.take(bytes, job.token);
      this.#place = place;
      await place.taken;
    }
    if (this.#job === job) this.#goOn();
  }

  /** Wakes up the waiting thread. */
  #goOn(): void {
    Atomics.store(this.#decided, 0, 1);
    Atomics.notify(this.#decided, 0);
  }

  async #decide(job: EncodeJob, batch: BatchFieldStats): Promise<void> {
    try {
      // Only the encoder thread blocks here; this thread yields.
      const placed = await runYielding(job.placement.placing(batch), new Yielder());
      if (this.#job !== job) return;
      // Otherwise the thread encodes the body again, and repeats the request.
      if (!('kept' in placed)) this.#columns = { uses: batch.uses, placed };
      this.#decisions.postMessage(placed, []);
      this.#goOn();
    } catch (error) {
      // The thread waits for a decision that will never be made.
      void this.end(error);
    }
  }

  #leave(): void {
    this.#place?.leave();
    this.#place = undefined;
  }

  #settle(how: () => void): void {
    this.#job = undefined;
    // The memory of a huge body is in use until the thread has exited.
    if (!this.isSpent) this.#leave();
    this.#worker.unref();
    how();
    this.#over();
  }
}

const noColumns = { uses: [], placed: [] };

/** Maps the error that ended a thread. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? httpError('out-of-memory', {}, { cause: error })
    : error;
