import { isCause, retry } from './retry.js';
import { MemoryBroker, type MemoryShare } from './memory-shares.js';
import { FairScheduler } from './fair-scheduler.js';

/** A share of the engine during a turn. */
export interface MemoryGrant {
  /** Memory for each statement. */
  readonly memoryBytes: number;
  /**
   * Runs a statement in a session for this quota key; one session is reserved for keys that run
   * nothing.
   */
  statement<T>(work: () => Promise<T>): Promise<T>;
}

/** Who wants a turn. */
interface QuotaHolder {
  readonly quotaKey: string;
  /** Aborts when no caller waits for the result. */
  readonly signal: AbortSignal;
}

export interface EngineMemory {
  /** For queries. */
  readonly queries: MemoryBroker;
  /** The initial grants of exports; larger ones come from the memory of queries. */
  readonly exports: MemoryBroker;
  /** Maximum wait for a larger memory grant, milliseconds. */
  readonly patience: number;
}

const noLimits = { totalBytes: Infinity, maxBytes: Infinity, guaranteedBytes: Infinity };
export const unlimitedMemory: EngineMemory = {
  queries: new MemoryBroker(noLimits),
  exports: new MemoryBroker(noLimits),
  patience: 0,
};

/** Schedules slots, memory and sessions of the engine fairly among quota keys. */
export class QueryScheduler {
  readonly #slots: FairScheduler;
  readonly #sessions: FairScheduler;
  /** One page at a time per quota key. */
  readonly #pages: FairScheduler;
  readonly #memory: EngineMemory;

  constructor(atOnce: number, memory: EngineMemory) {
    // A quota key that runs nothing never waits for others, however many and however long their
    // queries; since a query may have several statements, the same applies to sessions.
    const reserved = atOnce > 2 ? 1 : 0;
    this.#slots = new FairScheduler(atOnce, reserved);
    this.#sessions = new FairScheduler(atOnce, reserved);
    this.#pages = new FairScheduler(atOnce, atOnce - 1);
    this.#memory = memory;
  }

  /**
   * Runs work in the quota key's turn with the memory available now; if that is too little, retries
   * from the beginning with a larger grant.
   */
  async run<T>({ quotaKey, signal }: QuotaHolder, work: (grant: MemoryGrant) => Promise<T>): Promise<T> {
    const { queries } = this.#memory;
    const runInSlot = (grantMemory: () => MemoryShare): Promise<T> =>
      this.#slots.run(quotaKey, signal, () =>
        work({
          memoryBytes: grantMemory().bytes,
          statement: (runStatement) => this.#sessions.run(quotaKey, signal, runStatement),
        }),
      );
    let share = undefined as MemoryShare | undefined;
    try {
      return await retry(['memory-grant'], async (previous) => {
        if (previous === undefined) return runInSlot(() => (share = queries.offer()));
        if (share?.isMax !== false) throw previous.error;
        share.release();
        const max = await this.#requestMax({ quotaKey, signal }, previous.error);
        share = max;
        return runInSlot(() => max);
      });
    } finally {
      share?.release();
    }
  }

  /**
   * Like `run`, for a page of a tail; one page at a time per quota key. Tails repeat constantly,
   * and a single page is not urgent.
   */
  runPage<T>(asker: QuotaHolder, work: (grant: MemoryGrant) => Promise<T>): Promise<T> {
    return this.#pages.run(asker.quotaKey, asker.signal, () => this.run(asker, work));
  }

  /** Like `run`, for a stream; retries only before the first chunk. */
  async *stream(
    { quotaKey, signal }: QuotaHolder,
    read: (memoryBytes: number) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    let share = this.#memory.exports.offer();
    let hasChunks = false;
    try {
      for await (const chunk of read(share.bytes)) {
        hasChunks = true;
        yield chunk;
      }
    } catch (error) {
      if (!isCause('memory-grant', error) || hasChunks || share.isMax) throw error;
      share.release();
      share = await this.#requestMax({ quotaKey, signal }, error);
      yield* read(share.bytes);
    } finally {
      share.release();
    }
  }

  /** @param error is thrown when it takes too long */
  async #requestMax({ quotaKey, signal }: QuotaHolder, error: unknown): Promise<MemoryShare> {
    const timeout = AbortSignal.timeout(this.#memory.patience);
    try {
      return await this.#memory.queries.requestMax(quotaKey, AbortSignal.any([signal, timeout]));
    } catch (aborted) {
      throw signal.aborted ? aborted : error;
    }
  }
}
