import { httpError } from '../../errors.js';
import { type Waiting, waitIn } from './waiting.js';

/** How a party came by what it has: at once, or by a request that was ready to wait. */
export type Taken = 'at-once' | 'later';

interface Party {
  has: number;
  /** How many of these were taken later. */
  hasLater: number;
  /** Those who wait for one more. */
  readonly waiting: Waiting;
}

/**
 * Limits how many of something each party may have at once. A request for one more is either
 * refused at the limit, or waits.
 *
 * Those who wait get what is given back in the order in which they came, as long as the party has
 * less than half of its limit. If they could go up to the limit, they would take each one that is
 * given back, and all other requests of the party would be refused. But one of them at a time goes
 * on however much the party has: without that, a party that always has half of its limit would let
 * them wait for ever. So whoever waits as the nth gets one when those before it have had theirs one
 * after the other, at the latest, and never takes more than one from the requests that do not wait.
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
    const party = this.#party(who);
    if (party.has >= this.#most) return false;
    party.has++;
    this.#parties.set(who, party);
    return true;
  }

  /**
   * Takes one when it is this request's turn.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async takeLater(who: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw httpError('query-cancelled', {});
    const party = this.#party(who);
    this.#parties.set(who, party);
    // If one is left for those who wait, nobody does.
    if (this.#hasForLater(party)) this.#giveLater(party);
    else await waitIn(party.waiting, signal);
  }

  /** Gives one back; the first that waits may get it. */
  giveBack(who: string, taken: Taken): void {
    const party = this.#parties.get(who);
    if (party === undefined) return;
    party.has--;
    if (taken === 'later') party.hasLater--;
    const [next] = party.waiting;
    if (next !== undefined && this.#hasForLater(party)) {
      party.waiting.delete(next);
      this.#giveLater(party);
      next();
    } else if (party.has === 0) this.#parties.delete(who);
  }

  #party(who: string): Party {
    return this.#parties.get(who) ?? { has: 0, hasLater: 0, waiting: new Set() };
  }

  #hasForLater({ has, hasLater }: Party): boolean {
    return has < (hasLater === 0 ? this.#most : this.#mostAfterWaiting);
  }

  #giveLater(party: Party): void {
    party.has++;
    party.hasLater++;
  }
}
