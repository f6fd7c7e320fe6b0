import { EngineError } from '@millrace/engine';
import { httpError } from '@millrace/api/errors';
import { type WaitQueue, waitIn } from './wait-queue.js';

interface Party {
  running: number;
  /**
   * Number of the slot this quota key took last; among keys that run equally many, the lowest is
   * next. A new key ranks just before the key that ran last, and after all keys that ran earlier
   * and wait again: otherwise a few keys that keep returning as new ones would starve those.
   */
  lastBegan: number;
  readonly waiting: WaitQueue;
}

/**
 * Fair queue: decides which task runs next; a fixed number runs at once. A free slot goes to the
 * quota key that runs the fewest tasks, and among equals to the one that has not run for the
 * longest time, so that a busy key delays others by at most one of its tasks. The last slots may be
 * reserved for keys that run nothing: these never wait for other keys, however long the tasks are.
 */
export class FairScheduler {
  #free: number;
  readonly #reservedSlots: number;
  /** Slots that one quota key may use, including those with detached statements. */
  readonly #perParty: number;
  #lastStart = 0;
  /** Every quota key that waits or runs. */
  readonly #parties = new Map<string, Party>();

  /** @param reserved slots reserved for quota keys that run nothing */
  constructor(atOnce: number, reserved = 0) {
    this.#free = atOnce;
    this.#reservedSlots = reserved;
    this.#perParty = atOnce - reserved;
  }

  /**
   * Runs `work` in a slot. If the engine does not stop a canceled statement, its slot is passed on
   * once the engine has a free session, but counts for its quota key until the statement ends.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(key, signal);
    let unfinished: EngineError['unfinishedStatement'];
    try {
      return await work();
    } catch (error) {
      if (error instanceof EngineError) unfinished = error.unfinishedStatement;
      throw error;
    } finally {
      if (unfinished === undefined) this.#pass(key);
      else {
        void unfinished.releasePromise.then(() => this.#release());
        void unfinished.stopPromise.then(() => this.#leave(key));
      }
    }
  }

  /**
   * Takes a turn that lasts until the caller calls the returned function; calling it again does
   * nothing.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async acquire(key: string, signal: AbortSignal): Promise<() => void> {
    await this.#take(key, signal);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#pass(key);
    };
  }

  #take(key: string, signal: AbortSignal): Promise<void> | void {
    if (signal.aborted) throw httpError('query-cancelled', {});
    const party = this.#parties.get(key) ?? { running: 0, lastBegan: this.#lastStart - 0.5, waiting: new Set() };
    this.#parties.set(key, party);
    if (this.#mayBegin(party)) return this.#begin(party);
    return waitIn(party.waiting, signal, () => this.#deleteIfIdle(key, party));
  }

  #mayBegin({ running }: Party): boolean {
    return running < this.#perParty && this.#free > (running === 0 ? 0 : this.#reservedSlots);
  }

  #begin(party: Party): void {
    this.#free--;
    party.running++;
    party.lastBegan = ++this.#lastStart;
  }

  #pass(key: string): void {
    this.#uncount(key);
    this.#release();
  }

  #leave(key: string): void {
    this.#uncount(key);
    this.#startNext();
  }

  #uncount(key: string): void {
    const party = this.#parties.get(key);
    if (party === undefined) return;
    party.running--;
    this.#deleteIfIdle(key, party);
  }

  #release(): void {
    this.#free++;
    this.#startNext();
  }

  #startNext(): void {
    const next = this.#next();
    const [start] = next?.waiting ?? [];
    if (next === undefined || start === undefined) return;
    next.waiting.delete(start);
    this.#begin(next);
    start();
  }

  #next(): Party | undefined {
    let best: Party | undefined;
    for (const party of this.#parties.values()) {
      if (party.waiting.size === 0 || !this.#mayBegin(party)) continue;
      const sooner =
        best === undefined ||
        party.running < best.running ||
        (party.running === best.running && party.lastBegan < best.lastBegan);
      if (sooner) best = party;
    }
    return best;
  }

  #deleteIfIdle(key: string, { running, waiting }: Party): void {
    if (running === 0 && waiting.size === 0) this.#parties.delete(key);
  }
}
