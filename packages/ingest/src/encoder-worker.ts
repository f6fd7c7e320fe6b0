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
import type { DecompressionBudget, Reservation } from './decompression-budget.js';
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
  readonly budget: DecompressionBudget;
  readonly resolve: (encoded: EncodedBody) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread and the body it is encoding. */
export class EncoderWorker {
  readonly #worker: Worker;
  readonly #decisions: MessagePort;
  readonly #wakeSignal = new Int32Array(new SharedArrayBuffer(4));
  #job: EncodeJob | undefined;
  /** The columns of the job, as requested and placed. */
  #columns: Pick<EncodeResult, 'uses' | 'placed'> = noColumns;
  /** Memory reservation of a large body. */
  #reservation: Reservation | undefined;
  #resolveRun: () => void = () => undefined;
  #endReason: unknown;
  /** Bytes of the largest body so far, with or without its content encoding. */
  largestBody = 0;

  /** @param onEnd called once, when the thread has ended */
  constructor(heapMegabytes: number, onEnd: () => void) {
    const { port1, port2 } = new MessageChannel();
    this.#decisions = port1;
    const start: EncoderStart = {
      core: coreModule(),
      decisions: port2,
      wakeSignal: this.#wakeSignal.buffer as SharedArrayBuffer,
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
    this.#worker.on('message', (reply: EncoderReply) => this.#onReply(reply));
    this.#worker.on('error', (error) => (this.#endReason ??= reasonOf(error)));
    this.#worker.on('exit', () => {
      this.#decisions.close();
      onEnd();
      this.#releaseMemory();
      const job = this.#job;
      if (job !== undefined)
        this.#endJob(() => job.reject(this.#endReason ?? new Error('an encoder thread exited unexpectedly')));
    });
  }

  /** Resolves when the job is over, successful or not. */
  run(job: EncodeJob): Promise<void> {
    this.#job = job;
    this.#columns = noColumns;
    this.largestBody = Math.max(this.largestBody, job.bytes);
    this.#worker.ref();
    const request: EncodeRequest = { body: job.body, options: job.options };
    return new Promise((resolve) => {
      this.#resolveRun = resolve;
      this.#worker.postMessage(request, [job.body.buffer]);
    });
  }

  /** Whether the thread should exit instead of encoding another body. */
  get isSpent(): boolean {
    return this.largestBody > hugeBytes;
  }

  /** Ends the thread; its current job, if any, fails with the reason. */
  async end(reason: unknown): Promise<void> {
    this.#endReason ??= reason;
    await this.#worker.terminate();
  }

  #onReply(reply: EncoderReply): void {
    const job = this.#job;
    if (job === undefined) return;
    switch (reply.kind) {
      case 'expanded':
        return void this.#waitForMemory(job, reply.bytes);
      case 'place':
        return void this.#decide(job, unpackUses(reply.batch));
      case 'encoded': {
        const { rest, block, bodyBytes } = reply;
        this.largestBody = Math.max(this.largestBody, bodyBytes);
        const encoded = { ...rest, block: deserializeBlock(block), ...this.#columns };
        return this.#endJob(() => job.resolve({ encoded, bodyBytes }));
      }
      case 'refused':
        return this.#endJob(() => job.reject(new HttpError(reply.code, reply.message, {})));
    }
  }

  /** A body that turns out larger than estimated is queued again. */
  async #waitForMemory(job: EncodeJob, bytes: number): Promise<void> {
    this.largestBody = Math.max(this.largestBody, bytes);
    if (this.#reservation === undefined || !this.#reservation.shrink(bytes)) {
      this.#reservation?.release();
      const reservation = job.budget.take(bytes, job.token);
      this.#reservation = reservation;
      await reservation.granted;
    }
    if (this.#job === job) this.#wakeThread();
  }

  /** Wakes up the waiting thread. */
  #wakeThread(): void {
    Atomics.store(this.#wakeSignal, 0, 1);
    Atomics.notify(this.#wakeSignal, 0);
  }

  async #decide(job: EncodeJob, batch: BatchFieldStats): Promise<void> {
    try {
      // Only the encoder thread blocks here; this thread yields.
      const placed = await runYielding(job.placement.placeColumns(batch), new Yielder());
      if (this.#job !== job) return;
      // Otherwise the thread encodes the body again, and repeats the request.
      if (!('kept' in placed)) this.#columns = { uses: batch.uses, placed };
      this.#decisions.postMessage(placed, []);
      this.#wakeThread();
    } catch (error) {
      // The thread waits for a decision that will never be made.
      void this.end(error);
    }
  }

  #releaseMemory(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  #endJob(report: () => void): void {
    this.#job = undefined;
    // The memory of a huge body is in use until the thread has exited.
    if (!this.isSpent) this.#releaseMemory();
    this.#worker.unref();
    report();
    this.#resolveRun();
  }
}

const noColumns = { uses: [], placed: [] };

/** Maps the error that ended a thread. */
const reasonOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? httpError('out-of-memory', {}, { cause: error })
    : error;
