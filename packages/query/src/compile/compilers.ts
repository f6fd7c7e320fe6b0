import { type CompileOptions, withBudget } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import { durationText } from '@millrace/http/settings/setting-units';
import { retry } from '../schedule/retry.js';
import { FairScheduler } from '../schedule/fair-scheduler.js';
import type { QueryExecution } from '../schedule/jobs.js';
import { compileSource, tooMuch } from './compile-source.js';
import type { Compilation, Source } from './compiler-messages.js';
import { CompilerWorker } from './compiler-worker.js';

interface CompilersOptions {
  /** How long one query may be worked on in a thread, in milliseconds on a processor. */
  readonly compileTimeout: number;
  /** The effort limit in this thread; see `spend` in the compiler. */
  readonly effortHere?: number;
  /** A thread ends after this time without work. */
  readonly idleMilliseconds?: number;
}

/** How often it is looked how long a query has been worked on. */
const lookMilliseconds = 100;

/** For whom something is compiled. */
export interface Asker {
  /** Threads are given to one token after another. */
  readonly token: string;
  /** Aborts when no caller waits for the result. */
  readonly signal: AbortSignal;
  /** Counts and limits the time of the query, if the compilation is for one. */
  readonly runPhase?: QueryExecution['runPhase'];
}

/** 10 to 20 ms; queries from users and dashboards typically take 1 or 2 ms. */
const effortHere = 1500;

/** Characters: longer texts are not even read in this thread. */
const longestHere = 16_384;

/**
 * Two, so that a long compilation for one token does not delay other tokens; more threads would
 * take cores from other work.
 */
const maxThreads = 2;

/**
 * Compiles queries: short ones in the main thread, others in a worker thread. The compiler is
 * synchronous, and a short text can expand to a large query that would block the event loop.
 */
export class Compilers {
  readonly #options: CompilersOptions;
  readonly #scheduler = new FairScheduler(maxThreads);
  readonly #idle = new Map<CompilerWorker, NodeJS.Timeout>();
  readonly #busy = new Set<CompilerWorker>();
  #isClosed = false;

  constructor(options: CompilersOptions) {
    this.#options = options;
  }

  /** Threads, busy or idle. */
  get threads(): number {
    return this.#idle.size + this.#busy.size;
  }

  /** @throws errors of the catalog; HttpError `query-cancelled`, `shutting-down` */
  async compile(source: Source, options: CompileOptions, asker: Asker): Promise<Compilation> {
    const { token, signal, runPhase = (_, work) => work(signal) } = asker;
    const compileHere = (): Promise<Compilation> =>
      runPhase('compiling', async () =>
        withBudget(this.#options.effortHere ?? effortHere, () => compileSource(source, options)),
      );
    const compileInThread = (): Promise<Compilation> =>
      runPhase('waiting', (waits) =>
        this.#scheduler.run(token, waits, () =>
          runPhase('compiling', (compiles) => this.#inThread(source, options, compiles)),
        ),
      );
    if (source.kind === 'text' && source.text.length > longestHere) return compileInThread();
    return retry(['compile-budget'], (previous) => (previous === undefined ? compileHere() : compileInThread()));
  }

  /** Ends the threads; queries that are being compiled are refused as `shutting-down`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#idle.values()) clearTimeout(end);
    const workers = [...this.#idle.keys(), ...this.#busy];
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.end({ error: httpError('shutting-down', {}) })));
  }

  async #inThread(source: Source, options: CompileOptions, signal: AbortSignal): Promise<Compilation> {
    if (this.#isClosed) throw httpError('shutting-down', {});
    const { compileTimeout } = this.#options;
    const worker = this.#take();
    const message = `compiling the query takes longer than ${durationText(compileTimeout)}; make it smaller`;
    const watch = setInterval(
      () => {
        if (worker.worked >= compileTimeout) void worker.end({ outcome: tooMuch(source, message) });
      },
      Math.min(compileTimeout, lookMilliseconds),
    );
    const onCancel = (): void => void worker.end({ error: httpError('query-cancelled', {}) });
    signal.addEventListener('abort', onCancel);
    try {
      return await worker.run(source, options);
    } finally {
      signal.removeEventListener('abort', onCancel);
      clearInterval(watch);
      this.#busy.delete(worker);
      if (!worker.hasEnded) this.#rest(worker);
    }
  }

  #take(): CompilerWorker {
    const idle = [...this.#idle.keys()].findLast(({ hasEnded }) => !hasEnded);
    const worker = idle ?? new CompilerWorker();
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    this.#busy.add(worker);
    return worker;
  }

  #rest(worker: CompilerWorker): void {
    const end = setTimeout(() => {
      this.#idle.delete(worker);
      void worker.end(undefined);
    }, this.#options.idleMilliseconds ?? 60_000);
    this.#idle.set(worker, end.unref());
  }
}
