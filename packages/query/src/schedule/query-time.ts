import { EngineError } from '@millrace/engine';
import { HttpError, httpError } from '@millrace/api/errors';
import { onceAborted } from './on-abort.js';

/** The phases of a query. */
export type Phase = 'waiting' | 'compiling' | 'running';

/** Milliseconds in each phase. */
export type PhaseTimes = Readonly<Record<Phase, number>>;

/** Milliseconds. */
interface TimeLimits {
  /** For compiling and running together. */
  readonly work: number;
  readonly waiting: number;
}

/**
 * Measures and limits the time of one query. While parts of it run side by side, the time counts
 * once: as running if one of them runs, otherwise as compiling, otherwise as waiting.
 */
export class QueryTime {
  readonly #limits: TimeLimits;
  /** Over the whole life of the query. */
  readonly #total: Record<Phase, number> = { waiting: 0, compiling: 0, running: 0 };
  /** The part of the total that was used before the limits were restarted. */
  #before: PhaseTimes = { ...this.#total };
  readonly #active: Readonly<Record<Phase, Set<() => void>>> = {
    waiting: new Set(),
    compiling: new Set(),
    running: new Set(),
  };
  #since = performance.now();
  #late: NodeJS.Timeout | undefined;

  constructor(limits: TimeLimits) {
    this.#limits = limits;
  }

  /** Milliseconds that compiling and running may still take. */
  get left(): number {
    this.#count();
    return this.#leftIn('running');
  }

  /** Milliseconds in each phase so far. */
  spent(): PhaseTimes {
    this.#count();
    return { ...this.#total };
  }

  /** Gives the query its full time again. */
  restart(): void {
    this.#count();
    this.#before = { ...this.#total };
    this.#plan();
  }

  /**
   * Runs work that counts as a phase.
   * @param signal the signal of the query
   * @param work gets a signal that also aborts when the time for the phase is over
   * @throws HttpError `query-waited-too-long`, `query-cancelled`; EngineError `time-limit`
   */
  async within<T>(phase: Phase, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    let isLate = false;
    const late = (): void => {
      isLate = true;
      stop();
    };
    onceAborted(signal, stop);
    this.#enter(phase, late);
    try {
      return await work(stopping.signal);
    } catch (error) {
      // An engine error also tells whether the statement continues.
      const isStopped = error instanceof HttpError && error.code === 'query-cancelled';
      throw isLate && isStopped && !signal.aborted ? this.#tooLate(phase) : error;
    } finally {
      this.#leave(phase, late);
      signal.removeEventListener('abort', stop);
    }
  }

  #enter(phase: Phase, late: () => void): void {
    this.#count();
    this.#active[phase].add(late);
    this.#plan();
  }

  #leave(phase: Phase, late: () => void): void {
    this.#count();
    this.#active[phase].delete(late);
    this.#plan();
  }

  get #phase(): Phase | undefined {
    return (['running', 'compiling', 'waiting'] as const).find((phase) => this.#active[phase].size > 0);
  }

  #count(): void {
    const now = performance.now();
    const phase = this.#phase;
    if (phase !== undefined) this.#total[phase] += now - this.#since;
    this.#since = now;
  }

  #leftIn(phase: Phase): number {
    const timeUsed = (each: Phase): number => this.#total[each] - this.#before[each];
    return phase === 'waiting'
      ? this.#limits.waiting - timeUsed('waiting')
      : this.#limits.work - timeUsed('compiling') - timeUsed('running');
  }

  #plan(): void {
    clearTimeout(this.#late);
    const phase = this.#phase;
    if (phase === undefined) return;
    const end = (): void => {
      for (const late of this.#active[phase]) late();
    };
    this.#late = setTimeout(end, Math.max(0, Math.ceil(this.#leftIn(phase)))).unref();
  }

  #tooLate(phase: Phase): Error {
    if (phase !== 'waiting') return new EngineError('time-limit');
    return httpError(
      'query-waited-too-long',
      { seconds: this.#limits.waiting / 1000 },
      { headers: { 'retry-after': '1' } },
    );
  }
}

/** Settles like the work, or rejects when the signal aborts; the work itself continues. */
export const orAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(httpError('query-cancelled', {}));
    onceAborted(signal, leave);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
