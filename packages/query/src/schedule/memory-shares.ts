import { FairScheduler } from './fair-scheduler.js';
import { type WaitQueue, waitIn } from './wait-queue.js';

interface MemoryLimits {
  /** Memory for all grants above the guaranteed size. */
  readonly totalBytes: number;
  /** The most that one may have. */
  readonly maxBytes: number;
  /** The memory that each query gets regardless of the others. */
  readonly guaranteedBytes: number;
}

/** A grant of engine memory, valid until it is released. */
export interface MemoryShare {
  readonly bytes: number;
  /** Whether this is the maximum size. */
  readonly isMax: boolean;
  release(): void;
}

/**
 * Divides the engine's memory between queries, so that no quota key can starve the others. The
 * memory a query needs is not known before it runs. So it starts with half of the free memory, and
 * at least the guaranteed size, which is never given to others. If that is too little, it waits for
 * the maximum size, one quota key after the other; queries that begin during that wait get the
 * guaranteed size.
 */
export class MemoryBroker {
  readonly #limits: MemoryLimits;
  readonly #scheduler = new FairScheduler(1);
  /** The next one in the queue, while there is not enough memory. */
  readonly #waiters: WaitQueue = new Set();
  #allocatedBytes = 0;
  #waitingForMax = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** The grant that is available now. */
  offer(): MemoryShare {
    const { totalBytes, maxBytes, guaranteedBytes } = this.#limits;
    const free = this.#waitingForMax > 0 ? 0 : totalBytes - this.#allocatedBytes;
    return this.#take(Math.min(maxBytes, Math.max(guaranteedBytes, Math.floor(free / 2))));
  }

  /**
   * A grant of the maximum size, in the quota key's turn and once enough is free; the only running
   * query always gets it.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async requestMax(who: string, signal: AbortSignal): Promise<MemoryShare> {
    this.#waitingForMax++;
    try {
      const next = await this.#scheduler.acquire(who, signal);
      try {
        while (this.#allocatedBytes > 0 && this.#allocatedBytes + this.#limits.maxBytes > this.#limits.totalBytes)
          await waitIn(this.#waiters, signal);
        return this.#take(this.#limits.maxBytes);
      } finally {
        next();
      }
    } finally {
      this.#waitingForMax--;
    }
  }

  #take(bytes: number): MemoryShare {
    const taken = bytes > this.#limits.guaranteedBytes ? bytes : 0;
    this.#allocatedBytes += taken;
    let over = false;
    return {
      bytes,
      isMax: bytes >= this.#limits.maxBytes,
      release: () => {
        if (over) return;
        over = true;
        this.#allocatedBytes -= taken;
        for (const goOn of this.#waiters) {
          this.#waiters.delete(goOn);
          goOn();
        }
      },
    };
  }
}
