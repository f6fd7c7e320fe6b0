import { httpError } from '../../errors.js';
import { type Waiting, waitIn } from './waiting.js';

interface Party {
  running: number;
  /**
   * Number of the turn this party began last; among parties that run equally many, the one with the
   * lowest is next. A newcomer ranks just before the party that began last, and behind all that had
   * a turn earlier and wait again: otherwise a few parties that keep coming back as newcomers would
   * make those wait for ever.
   */
  lastBegan: number;
  readonly waiting: Waiting;
}

/**
 * Decides who runs next; a fixed number of turns run at once. A turn that becomes free goes to
 * whoever runs the fewest at the moment, and among those to whoever has not had one for the longest
 * time, so that a party that asks a lot makes nobody else wait for more than one of its turns. The
 * last turns may be kept for parties that run nothing: they wait for no other party, however long
 * its turns are.
 */
export class Turns {
  #free: number;
  readonly #kept: number;
  #began = 0;
  /** Every party that waits or runs. */
  readonly #parties = new Map<string, Party>();

  /** @param kept turns that only a party which runs nothing gets */
  constructor(atOnce: number, kept = 0) {
    this.#free = atOnce;
    this.#kept = kept;
  }

  /**
   * Runs `work` when it is its turn.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async run<T>(who: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(who, signal);
    try {
      return await work();
    } finally {
      this.#pass(who);
    }
  }

  /**
   * Takes a turn that lasts until the caller calls the returned function; calling it again does
   * nothing.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async hold(who: string, signal: AbortSignal): Promise<() => void> {
    await this.#take(who, signal);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#pass(who);
    };
  }

  #take(who: string, signal: AbortSignal): Promise<void> | void {
    if (signal.aborted) throw httpError('query-cancelled', {});
    const party = this.#parties.get(who) ?? { running: 0, lastBegan: this.#began - 0.5, waiting: new Set() };
    this.#parties.set(who, party);
    if (this.#mayBegin(party)) return this.#begin(party);
    return waitIn(party.waiting, signal, () => this.#forget(who, party));
  }

  #mayBegin({ running }: Party): boolean {
    return this.#free > (running === 0 ? 0 : this.#kept);
  }

  #begin(party: Party): void {
    this.#free--;
    party.running++;
    party.lastBegan = ++this.#began;
  }

  #pass(who: string): void {
    const party = this.#parties.get(who);
    if (party !== undefined) {
      party.running--;
      this.#forget(who, party);
    }
    this.#free++;
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

  #forget(who: string, { running, waiting }: Party): void {
    if (running === 0 && waiting.size === 0) this.#parties.delete(who);
  }
}
