import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { CompileOptions } from '@millrace/apl';
import { processorTime } from '@millrace/runtime/async/thread-clock';
import { CatalogAnswers, type CatalogLookup, shapeOf } from './remote-catalog.js';
import { tooMuch } from './compile-source.js';
import type {
  CatalogAnswer,
  Compilation,
  CompileRequest,
  CompilerReply,
  CompilerStart,
  Source,
} from './compiler-messages.js';

/** The built file, even when this one runs from its source: threads cannot load TypeScript. */
const entry = fileURLToPath(new URL('../../dist/compile/compiler-thread.js', import.meta.url));

/** MiB: ten times the memory for the longest query that still becomes a statement. */
const heapMegabytes = 512;

interface Job {
  readonly source: Source;
  readonly catalog: CatalogAnswers;
  readonly resolve: (compilation: Compilation) => void;
  readonly reject: (error: unknown) => void;
  /** The error that the catalog threw. */
  refusal?: unknown;
}

/** One thread and the query it is compiling. */
export class CompilerWorker {
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #sharedState = new Int32Array(new SharedArrayBuffer(12));
  #job: Job | undefined;
  #hasEnded = false;
  /** When the thread was sent its query. */
  #sentAt = 0;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#answers = port1;
    const start: CompilerStart = { answers: port2, answered: this.#sharedState.buffer as SharedArrayBuffer };
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
    this.#worker.on('message', (reply: CompilerReply) => this.#handleReply(reply));
    this.#worker.on('error', (error) => this.#handleFailure(error));
    this.#worker.on('exit', () => {
      this.#hasEnded = true;
      this.#answers.close();
      this.#settle((job) => job.reject(new Error('a compiler thread exited unexpectedly')));
    });
  }

  /** Whether the thread can take no more queries. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Processor time spent on the query, in milliseconds: on a busy machine a thread waits for a
   * processor, which the query cannot influence. Starting the thread and loading the compiler do
   * not count. Wall-clock time where the system does not report processor time.
   */
  get worked(): number {
    const began = Atomics.load(this.#sharedState, 2);
    if (began < 0) return 0;
    const time = processorTime(Atomics.load(this.#sharedState, 1));
    return time === undefined ? performance.now() - this.#sentAt : time - began;
  }

  /** @throws errors of the catalog */
  run(source: Source, { catalog, ...options }: CompileOptions): Promise<Compilation> {
    this.#worker.ref();
    this.#sentAt = performance.now();
    Atomics.store(this.#sharedState, 2, -1);
    return new Promise((resolve, reject) => {
      this.#job = { source, catalog: new CatalogAnswers(catalog), resolve, reject };
      const request: CompileRequest = { source, options, shape: shapeOf(catalog) };
      this.#worker.postMessage(request, []);
    });
  }

  /** Ends the thread. Its query, if it has one, fails with the error, or has the outcome. */
  async end(how: { readonly error: unknown } | { readonly outcome: Compilation } | undefined): Promise<void> {
    this.#hasEnded = true;
    if (how !== undefined) this.#settle((job) => ('error' in how ? job.reject(how.error) : job.resolve(how.outcome)));
    await this.#worker.terminate();
  }

  #handleReply(reply: CompilerReply): void {
    switch (reply.kind) {
      case 'asks':
        return this.#answer(reply.lookup);
      case 'compiled':
        return this.#settle((job) => job.resolve(reply.compilation));
      case 'refused':
        return this.#settle((job) => job.reject(job.refusal));
    }
  }

  #answer(lookup: CatalogLookup): void {
    const job = this.#job;
    if (job === undefined) return;
    let answer: CatalogAnswer;
    try {
      answer = { kind: 'returned', answer: job.catalog.answer(lookup) };
    } catch (error) {
      job.refusal = error;
      answer = { kind: 'threw' };
    }
    this.#answers.postMessage(answer, []);
    Atomics.store(this.#sharedState, 0, 1);
    Atomics.notify(this.#sharedState, 0);
  }

  #handleFailure(error: unknown): void {
    this.#hasEnded = true;
    const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const message = 'compiling the query takes too much memory; make it smaller';
    this.#settle((job) => (isFull ? job.resolve(tooMuch(job.source, message)) : job.reject(error)));
  }

  #settle(how: (job: Job) => void): void {
    const job = this.#job;
    this.#job = undefined;
    this.#worker.unref();
    if (job !== undefined) how(job);
  }
}
