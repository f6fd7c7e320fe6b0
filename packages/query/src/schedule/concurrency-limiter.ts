import { httpError } from '@millrace/api/errors';
import { type WaitQueue, waitIn } from './wait-queue.js';

/** How a quota key got a slot: immediately, or for a request that was allowed to wait. */
export type AcquiredBy = 'at-once' | 'later';

interface Party {
  has: number;
  /** How many of these were taken later. */
  hasLater: number;
  /** Callers that wait for a slot. */
  readonly waiting: WaitQueue;
}

/**
 * Limits how many slots each quota key may hold at once. At the limit, a request is either rejected
 * or waits.
 *
 * Waiting requests get released slots in arrival order while their quota key holds less than half
 * of its limit. Up to the full limit, they would take every released slot, and all other requests
 * of the key would be rejected. But one waiting request at a time proceeds regardless of the key's
 * use: otherwise a key that always uses half of its limit would starve them. So the nth waiting
 * request gets a slot at the latest when the requests before it have run one after the other, and
 * waiting requests never take more than one slot from requests that do not wait.
 */
export class ConcurrencyLimiter {
  readonly #maxSlots: number;
  readonly #maxAfterWaiting: number;
  /** Every quota key that holds or waits for a slot. */
  readonly #parties = new Map<string, Party>();

  constructor(maxSlots: number) {
    this.#maxSlots = maxSlots;
    this.#maxAfterWaiting = Math.ceil(maxSlots / 2);
  }

  /** The number of slots that a quota key holds. */
  countFor(key: string): number {
    return this.#parties.get(key)?.has ?? 0;
  }

  /** @returns whether there was one left */
  acquire(key: string): boolean {
    const party = this.#party(key);
    if (party.has >= this.#maxSlots) return false;
    party.has++;
    this.#parties.set(key, party);
    return true;
  }

  /**
   * Takes one when it is this request's turn.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async acquireQueued(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw httpError('query-cancelled', {});
    const party = this.#party(key);
    this.#parties.set(key, party);
    // If a slot is available to waiting requests, none is waiting.
    if (this.#hasForLater(party)) this.#giveLater(party);
    else await waitIn(party.waiting, signal);
  }

  /** Gives one back; the first that waits may get it. */
  release(key: string, acquiredBy: AcquiredBy): void {
    const party = this.#parties.get(key);
    if (party === undefined) return;
    party.has--;
    if (acquiredBy === 'later') party.hasLater--;
    const [next] = party.waiting;
    if (next !== undefined && this.#hasForLater(party)) {
      party.waiting.delete(next);
      this.#giveLater(party);
      next();
    } else if (party.has === 0) this.#parties.delete(key);
  }

  #party(key: string): Party {
    return this.#parties.get(key) ?? { has: 0, hasLater: 0, waiting: new Set() };
  }

  #hasForLater({ has, hasLater }: Party): boolean {
    return has < (hasLater === 0 ? this.#maxSlots : this.#maxAfterWaiting);
  }

  #giveLater(party: Party): void {
    party.has++;
    party.hasLater++;
  }
}
