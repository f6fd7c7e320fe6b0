import type { Answer } from '../../data/results/results.js';
import type { BatchOutcome, BatchQuery } from '../../data/batch.js';
import { createStore } from '../../data/store.js';

/** A query of an element. Equal keys are queried once. */
export interface ElementQuery {
  readonly key: string;
  /** Resolves the request: relative ranges move with each refresh. */
  readonly body: (now: bigint) => BatchQuery['body'];
  /** Fallback query if the result is too large. */
  readonly narrower?: (answer: Answer) => ((now: bigint) => BatchQuery['body']) | undefined;
}

/** State of a query; a refresh keeps the previous result. */
export interface ElementQueryState {
  readonly answer?: Answer;
  readonly error?: unknown;
  readonly running: boolean;
  /** It is the result of the fallback query. */
  readonly narrowed?: boolean;
}

/** Duration of the latest refresh. */
export interface RefreshCost {
  readonly queries: number;
  readonly rows: number;
  readonly milliseconds: number;
}

type Run = (
  queries: readonly BatchQuery[],
  signal: AbortSignal,
  onOutcome: (id: string, outcome: BatchOutcome) => void,
) => Promise<void>;

interface Batch {
  readonly keys: ReadonlySet<string>;
  /** Keys without a result so far. */
  readonly open: Set<string>;
  readonly controller: AbortController;
}

/** Unused results stay cached for a while, for scrolling back. */
const MAX_KEPT = 400;

/**
 * Runs the queries of visible elements in one request, without duplicates or overlapping refreshes,
 * and cancels unneeded ones.
 */
export class DashboardQueryRunner {
  readonly states = createStore<ReadonlyMap<string, ElementQueryState>>(new Map());
  readonly isRunning = createStore(false);
  readonly cost = createStore<RefreshCost | undefined>(undefined);
  #requestedQueries: readonly ElementQuery[] = [];
  /** Keys queried since the latest refresh began. */
  #current = new Set<string>();
  #batches: readonly Batch[] = [];
  /** Keys whose results were too large, with their fallback queries. */
  readonly #narrower = new Map<string, ElementQuery['body']>();

  readonly #run: Run;
  readonly #now: () => bigint;

  constructor(run: Run, now: () => bigint) {
    this.#run = run;
    this.#now = now;
  }

  /**
   * Sets the queries of visible elements; those answered since the latest refresh do not run again.
   */
  want(questions: readonly ElementQuery[]): void {
    this.#requestedQueries = questions;
    const keys = new Set(questions.map(({ key }) => key));
    for (const batch of this.#batches) if (![...batch.keys].some((key) => keys.has(key))) this.#cancel(batch);
    void this.#ask(questions.filter(({ key }) => !this.#current.has(key)));
  }

  /** Refreshes all visible queries; skipped while one is running, unless forced. */
  refresh(how: 'timed' | 'wanted' = 'timed'): void {
    if (this.isRunning.get()) {
      if (how === 'timed') return;
      this.stop();
    }
    this.#current = new Set();
    void this.#ask(this.#requestedQueries);
  }

  stop(): void {
    for (const batch of this.#batches) this.#cancel(batch);
  }

  /** Its queries count as unanswered at once: they may be wanted again before it has ended. */
  #cancel(batch: Batch): void {
    this.#batches = this.#batches.filter((each) => each !== batch);
    for (const key of batch.open) this.#current.delete(key);
    batch.controller.abort();
  }

  async #ask(questions: readonly ElementQuery[]): Promise<void> {
    const byKey = new Map(questions.map((query) => [query.key, query]));
    if (byKey.size === 0) return;
    const keys = [...byKey.keys()];
    const open = new Set(keys);
    const batch: Batch = { keys: new Set(keys), open, controller: new AbortController() };
    this.#batches = [...this.#batches, batch];
    for (const key of batch.keys) this.#current.add(key);
    this.#change(batch.keys, (before) => ({ ...before, running: true }));
    this.isRunning.set(true);
    const started = performance.now();
    const now = this.#now();
    let rows = 0;
    try {
      const ask = (keys: readonly string[]): Promise<void> => {
        const queries = keys.map((key, index) => ({
          id: String(index),
          body: (this.#narrower.get(key) ?? byKey.get(key)!.body)(now),
        }));
        return this.#run(queries, batch.controller.signal, (id, outcome) => {
          const key = keys[Number(id)];
          if (key === undefined) return;
          if (outcome.kind === 'answer') rows += outcome.answer.head.status.rowsExamined;
          if (outcome.kind === 'answer' && this.#isTooMuch(byKey.get(key)!, outcome.answer)) return;
          open.delete(key);
          const narrowed = this.#narrower.has(key);
          this.#change([key], () =>
            outcome.kind === 'answer'
              ? { answer: outcome.answer, running: false, ...(narrowed && { narrowed }) }
              : { error: outcome.error, running: false },
          );
        });
      };
      await ask(keys);
      const again = keys.filter((key) => open.has(key) && this.#narrower.has(key));
      if (again.length > 0) await ask(again);
      if (open.size > 0) throw new Error('the answer broke off');
    } catch (error) {
      const stopped = batch.controller.signal.aborted;
      // A canceled query may run again in a later batch.
      const ended = [...open].filter((key) => !this.#batches.some((each) => each !== batch && each.open.has(key)));
      // The previous result stays the latest.
      this.#change(ended, (before) => ({ ...before, ...(!stopped && { error }), running: false }));
    }
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.isRunning.set(this.#batches.length > 0);
    if (!batch.controller.signal.aborted && open.size < keys.length)
      this.cost.set({ queries: keys.length, rows, milliseconds: performance.now() - started });
  }

  /** Whether the fallback query replaces this result, from now on. */
  #isTooMuch({ key, narrower }: ElementQuery, answer: Answer): boolean {
    const instead = this.#narrower.has(key) ? undefined : narrower?.(answer);
    if (instead === undefined) return false;
    this.#narrower.set(key, instead);
    return true;
  }

  #change(keys: Iterable<string>, change: (before: ElementQueryState) => ElementQueryState): void {
    const next = new Map(this.states.get());
    for (const key of keys) {
      const before = next.get(key) ?? { running: false };
      next.delete(key);
      next.set(key, change(before));
    }
    const wanted = new Set(this.#requestedQueries.map(({ key }) => key));
    for (const key of next.keys()) {
      if (next.size <= MAX_KEPT) break;
      if (!wanted.has(key)) {
        next.delete(key);
        this.#current.delete(key);
        this.#narrower.delete(key);
      }
    }
    this.states.set(next);
  }
}
