import { EngineError } from '@millrace/engine';
import { MemoryShares } from './memory-shares.js';
import { Turns } from './turns.js';

/** What somebody may use of the engine during a turn. */
export interface Grant {
  /** Memory for each statement. */
  readonly memoryBytes: number;
  /** Runs a statement when there is a session for this party: one is kept for who has none. */
  statement<T>(work: () => Promise<T>): Promise<T>;
}

/** Who wants a turn. */
interface Asker {
  readonly who: string;
  /** Aborts when nobody waits for the work any more. */
  readonly signal: AbortSignal;
}

export interface EngineMemory {
  /** For queries. */
  readonly queries: MemoryShares;
  /**
   * What exports have at first; what they need beyond that is of the same room as that of queries.
   */
  readonly exports: MemoryShares;
  /** How long somebody waits for more than there is at once, milliseconds. */
  readonly patience: number;
}

const noLimits = { room: Infinity, most: Infinity, assured: Infinity };
export const unlimitedMemory: EngineMemory = {
  queries: new MemoryShares(noLimits),
  exports: new MemoryShares(noLimits),
  patience: 0,
};

/**
 * Gives parties turns on the engine, and memory and sessions of it, so that none leaves nothing to
 * the others.
 */
export class EngineTurns {
  readonly #turns: Turns;
  readonly #sessions: Turns;
  /** Of each party one at a time. */
  readonly #pages: Turns;
  readonly #memory: EngineMemory;

  constructor(atOnce: number, memory: EngineMemory) {
    // A party that runs nothing waits for no other, however many queries and however long ones that
    // has; and as a query may have several statements, the same goes for those.
    const kept = atOnce > 2 ? 1 : 0;
    this.#turns = new Turns(atOnce, kept);
    this.#sessions = new Turns(atOnce, kept);
    this.#pages = new Turns(atOnce, atOnce - 1);
    this.#memory = memory;
  }

  /**
   * Does work when it is the party's turn: with what memory it may have at once, and if that is too
   * little from the beginning, once it may have more.
   */
  async run<T>({ who, signal }: Asker, work: (grant: Grant) => Promise<T>): Promise<T> {
    const { queries } = this.#memory;
    const inTurn = (memoryBytes: () => number): Promise<T> =>
      this.#turns.run(who, signal, () =>
        work({ memoryBytes: memoryBytes(), statement: (ask) => this.#sessions.run(who, signal, ask) }),
      );
    const offered = { share: undefined as ReturnType<MemoryShares['offer']> | undefined };
    try {
      return await inTurn(() => (offered.share = queries.offer()).bytes);
    } catch (error) {
      if (!isTooLittle(error) || offered.share?.isWhole !== false) throw error;
      offered.share.giveBack();
      const whole = await this.#whole({ who, signal }, error);
      try {
        return await inTurn(() => whole.bytes);
      } finally {
        whole.giveBack();
      }
    } finally {
      offered.share?.giveBack();
    }
  }

  /**
   * The same for a page of what somebody follows: of each party one is read at a time. Those who
   * follow ask again and again, and nobody waits for a single page.
   */
  page<T>(asker: Asker, work: (grant: Grant) => Promise<T>): Promise<T> {
    return this.#pages.run(asker.who, asker.signal, () => this.run(asker, work));
  }

  /**
   * The same for what is read a piece at a time; it begins again only when it has not given
   * anything.
   */
  async *stream(
    { who, signal }: Asker,
    read: (memoryBytes: number) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const offered = this.#memory.exports.offer();
    let hasGiven = false;
    try {
      for await (const piece of read(offered.bytes)) {
        hasGiven = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (!isTooLittle(error) || hasGiven || offered.isWhole) throw error;
      offered.giveBack();
      const whole = await this.#whole({ who, signal }, error);
      try {
        yield* read(whole.bytes);
      } finally {
        whole.giveBack();
      }
    } finally {
      offered.giveBack();
    }
  }

  /** @param error is thrown when it takes too long */
  async #whole({ who, signal }: Asker, error: unknown) {
    const late = AbortSignal.timeout(this.#memory.patience);
    try {
      return await this.#memory.queries.whole(who, AbortSignal.any([signal, late]));
    } catch (left) {
      throw signal.aborted ? left : error;
    }
  }
}

const isTooLittle = (error: unknown): boolean => error instanceof EngineError && error.code === 'memory-limit';
