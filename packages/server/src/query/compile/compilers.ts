import { type CompileOptions, TooMuchEffort, withinEffort } from '@millrace/apl';
import { httpError } from '../../errors.js';
import { durationText } from '../../settings/setting-units.js';
import { Turns } from '../run/turns.js';
import { compileSource, tooMuch } from './compile-source.js';
import type { Compilation, Source } from './compiler-messages.js';
import { CompilerWorker } from './compiler-worker.js';

interface CompilersOptions {
  /** How long one query may be worked on in a thread, in milliseconds on a processor. */
  readonly compileTimeout: number;
  /** What may be done in this thread, in units of effort; see `spend` of the language. */
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
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Ten to twenty milliseconds; what people and dashboards ask takes one or two. */
const effortHere = 1500;

/** Characters: longer texts are not even read in this thread. */
const longestHere = 16_384;

/**
 * One token's long query keeps nobody else's waiting; more threads would take the cores from
 * everything else.
 */
const mostThreads = 2;

/**
 * Compiles queries: here as long as that takes no time to speak of, otherwise again in a thread.
 * The compiler is synchronous, and there is much that a short text can make of itself; in this
 * thread everybody would wait for it.
 */
export class Compilers {
  readonly #options: CompilersOptions;
  readonly #turns = new Turns(mostThreads);
  readonly #idle = new Map<CompilerWorker, NodeJS.Timeout>();
  readonly #busy = new Set<CompilerWorker>();
  #closed = false;

  constructor(options: CompilersOptions) {
    this.#options = options;
  }

  /** Threads, busy or idle. */
  get threads(): number {
    return this.#idle.size + this.#busy.size;
  }

  /** @throws what the catalogue throws; HttpError `query-cancelled`, `shutting-down` */
  async compile(source: Source, options: CompileOptions, asker: Asker): Promise<Compilation> {
    if (source.kind === 'tree' || source.text.length <= longestHere) {
      try {
        return withinEffort(this.#options.effortHere ?? effortHere, () => compileSource(source, options));
      } catch (error) {
        if (!(error instanceof TooMuchEffort)) throw error;
      }
    }
    return this.#turns.run(asker.token, asker.signal, () => this.#inThread(source, options, asker.signal));
  }

  /** Ends the threads; queries that are being compiled are refused as `shutting-down`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#idle.values()) clearTimeout(end);
    const workers = [...this.#idle.keys(), ...this.#busy];
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.end({ error: httpError('shutting-down', {}) })));
  }

  async #inThread(source: Source, options: CompileOptions, signal: AbortSignal): Promise<Compilation> {
    if (this.#closed) throw httpError('shutting-down', {});
    const { compileTimeout } = this.#options;
    const worker = this.#take();
    const message = `compiling the query takes longer than ${durationText(compileTimeout)}; make it smaller`;
    const watch = setInterval(
      () => {
        if (worker.worked >= compileTimeout) void worker.end({ outcome: tooMuch(source, message) });
      },
      Math.min(compileTimeout, lookMilliseconds),
    );
    const gone = (): void => void worker.end({ error: httpError('query-cancelled', {}) });
    signal.addEventListener('abort', gone);
    try {
      return await worker.run(source, options);
    } finally {
      signal.removeEventListener('abort', gone);
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
