import { httpError } from '../../errors.js';
import { type Waiting, waitIn } from './waiting.js';

interface Party {
  has: number;
  /** Those who wait for one more. */
  readonly waiting: Waiting;
}

/**
 * Limits how many of something each party may have at once. A party that wants one more is either refused at the limit, or waits until it has less than
 * half of the limit. If waiting requests could go up to the limit, they would take each one that is given back, and all other requests of the party
 * would be refused.
 */
export class Allowance {
  readonly #most: number;
  readonly #mostAfterWaiting: number;
  /** Every party that has one or waits for one. */
  readonly #parties = new Map<string, Party>();

  constructor(most: number) {
    this.#most = most;
    this.#mostAfterWaiting = Math.ceil(most / 2);
  }

  /** How many a party has. */
  of(who: string): number {
    return this.#parties.get(who)?.has ?? 0;
  }

  /** @returns whether there was one left */
  take(who: string): boolean {
    return this.#take(who, this.#most);
  }

  #take(who: string, most: number): boolean {
    const party = this.#parties.get(who) ?? { has: 0, waiting: new Set() };
    if (party.has >= most) return false;
    party.has++;
    this.#parties.set(who, party);
    return true;
  }

  /**
   * Takes one as soon as the party has less than half of its limit, first come first served.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async takeLater(who: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw httpError('query-cancelled', {});
    if (this.#take(who, this.#mostAfterWaiting)) return;
    await waitIn(this.#parties.get(who)!.waiting, signal);
  }

  /** Gives one back; the first that waits may get it. */
  giveBack(who: string): void {
    const party = this.#parties.get(who);
    if (party === undefined) return;
    party.has--;
    const [next] = party.waiting;
    if (next !== undefined && party.has < this.#mostAfterWaiting) {
      party.waiting.delete(next);
      party.has++;
      next();
    } else if (party.has === 0) this.#parties.delete(who);
  }
}
