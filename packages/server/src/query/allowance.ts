import { httpError } from '../errors.js';

interface Party {
  has: number;
  /** Those who wait for one more; there are some only while the party has all it may. */
  readonly waiting: Set<() => void>;
}

/** How many of something each party may have at once. Who wants one more is refused, or waits until one is given back. */
export class Allowance {
  readonly #most: number;
  /** Every party that has or waits. */
  readonly #parties = new Map<string, Party>();

  constructor(most: number) {
    this.#most = most;
  }

  /** How many a party has. */
  of(who: string): number {
    return this.#parties.get(who)?.has ?? 0;
  }

  /** @returns whether there was one left */
  take(who: string): boolean {
    const party = this.#parties.get(who) ?? { has: 0, waiting: new Set() };
    if (party.has >= this.#most) return false;
    party.has++;
    this.#parties.set(who, party);
    return true;
  }

  /**
   * Takes one as soon as it is there, in the order of those who wait.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async takeLater(who: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw httpError('query-cancelled', {});
    if (this.take(who)) return;
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

  /** Gives one back; it goes at once to who waits. */
  giveBack(who: string): void {
    const party = this.#parties.get(who);
    if (party === undefined) return;
    const [next] = party.waiting;
    if (next !== undefined) {
      party.waiting.delete(next);
      next();
    } else if (--party.has === 0) this.#parties.delete(who);
  }
}
