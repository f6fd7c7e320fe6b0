import { httpError } from '../../errors.js';

interface Party {
  has: number;
  /** Those who wait for one more. */
  readonly waiting: Set<() => void>;
}

/**
 * How many of something each party may have at once. A party that wants one more is refused, or waits until it has less than half of what it may: those
 * who wait would otherwise take each one that is given back, and everybody else would be refused.
 */
export class Allowance {
  readonly #most: number;
  readonly #mostAfterWaiting: number;
  /** Every party that has or waits. */
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
   * Takes one as soon as the party has less than half of its own, in the order of those who wait.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async takeLater(who: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw httpError('query-cancelled', {});
    if (this.#take(who, this.#mostAfterWaiting)) return;
    const { waiting } = this.#parties.get(who)!;
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(start);
        reject(httpError('query-cancelled', {}));
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(start);
    });
  }

  /** Gives one back; it may go to who waits. */
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
