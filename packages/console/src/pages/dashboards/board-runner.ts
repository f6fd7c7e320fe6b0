import type { Answer } from '../../data/answers/answers.js';
import type { BatchOutcome, BatchQuery } from '../../data/batch.js';
import { createStore } from '../../data/store.js';

/** Something an element asks. Equal keys ask the same, and are asked once. */
export interface Question {
  readonly key: string;
  /** The request at a moment: relative ranges move on with each refresh. */
  readonly body: (now: bigint) => BatchQuery['body'];
  /** What to ask instead, if an answer is more than can be shown. */
  readonly narrower?: (answer: Answer) => ((now: bigint) => BatchQuery['body']) | undefined;
}

/** What is known of a question: while it is asked again, the answer of before is still there. */
export interface Asked {
  readonly answer?: Answer;
  readonly error?: unknown;
  readonly running: boolean;
  /** It is the answer to what was asked instead. */
  readonly narrowed?: boolean;
}

/** What the latest refresh took. */
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
  readonly controller: AbortController;
}

/** Answers that nobody shows are kept for a while, since people scroll back. */
const MOST_KEPT = 400;

/**
 * Asks what the visible elements of a board want to know: all of it in one request, nothing twice,
 * and no refresh before the one before has ended. What is no longer wanted is stopped.
 */
export class BoardRunner {
  readonly asked = createStore<ReadonlyMap<string, Asked>>(new Map());
  readonly running = createStore(false);
  readonly cost = createStore<RefreshCost | undefined>(undefined);
  #wanted: readonly Question[] = [];
  /** Keys that were asked since the latest refresh began. */
  #current = new Set<string>();
  #batches: readonly Batch[] = [];
  /** Keys whose answers were too much, and what is asked instead from then on. */
  readonly #narrower = new Map<string, Question['body']>();

  readonly #run: Run;
  readonly #now: () => bigint;

  constructor(run: Run, now: () => bigint) {
    this.#run = run;
    this.#now = now;
  }

  /**
   * What the visible elements ask; what was asked already since the latest refresh is not asked
   * again.
   */
  want(questions: readonly Question[]): void {
    this.#wanted = questions;
    const keys = new Set(questions.map(({ key }) => key));
    for (const batch of this.#batches) if (![...batch.keys].some((key) => keys.has(key))) batch.controller.abort();
    void this.#ask(questions.filter(({ key }) => !this.#current.has(key)));
  }

  /**
   * Asks everything visible again; nothing happens while something is still running, unless a
   * person wants it.
   */
  refresh(how: 'timed' | 'wanted' = 'timed'): void {
    if (this.running.get()) {
      if (how === 'timed') return;
      this.stop();
    }
    this.#current = new Set();
    void this.#ask(this.#wanted);
  }

  stop(): void {
    for (const { controller } of this.#batches) controller.abort();
  }

  async #ask(questions: readonly Question[]): Promise<void> {
    const byKey = new Map(questions.map((question) => [question.key, question]));
    if (byKey.size === 0) return;
    const batch: Batch = { keys: new Set(byKey.keys()), controller: new AbortController() };
    this.#batches = [...this.#batches, batch];
    for (const key of batch.keys) this.#current.add(key);
    this.#change(batch.keys, (before) => ({ ...before, running: true }));
    this.running.set(true);
    const started = performance.now();
    const now = this.#now();
    const keys = [...byKey.keys()];
    let rows = 0;
    const open = new Set(keys);
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
      // What was stopped was not answered: it is asked again when it is wanted again.
      if (stopped) for (const key of open) this.#current.delete(key);
      // What was there is still the latest that is known.
      this.#change(open, (before) => ({ ...before, ...(!stopped && { error }), running: false }));
    }
    this.#batches = this.#batches.filter((each) => each !== batch);
    this.running.set(this.#batches.length > 0);
    if (!batch.controller.signal.aborted && open.size < keys.length)
      this.cost.set({ queries: keys.length, rows, milliseconds: performance.now() - started });
  }

  /** Whether something else is asked in the place of this answer, from now on. */
  #isTooMuch({ key, narrower }: Question, answer: Answer): boolean {
    const instead = this.#narrower.has(key) ? undefined : narrower?.(answer);
    if (instead === undefined) return false;
    this.#narrower.set(key, instead);
    return true;
  }

  #change(keys: Iterable<string>, change: (before: Asked) => Asked): void {
    const next = new Map(this.asked.get());
    for (const key of keys) {
      const before = next.get(key) ?? { running: false };
      next.delete(key);
      next.set(key, change(before));
    }
    const wanted = new Set(this.#wanted.map(({ key }) => key));
    for (const key of next.keys()) {
      if (next.size <= MOST_KEPT) break;
      if (!wanted.has(key)) {
        next.delete(key);
        this.#current.delete(key);
        this.#narrower.delete(key);
      }
    }
    this.asked.set(next);
  }
}
