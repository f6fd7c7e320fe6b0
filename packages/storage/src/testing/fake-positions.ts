import type { Arrival, InflightInsert } from '@millrace/metadata/postgres/position-allocator';
import type { ArrivalOrder } from '../cluster/group-commit.js';

/** The ingest order in memory, as `PositionAllocator` allocates it in PostgreSQL. */
export class FakeArrivals {
  #last: bigint;
  readonly #inFlight = new Map<bigint, InflightInsert & { readonly epoch: bigint }>();

  /** @param last no position is allocated at or below it */
  constructor(last = 0n) {
    this.#last = last;
  }

  of(epoch: bigint): ArrivalOrder {
    return {
      allocate: async (datasetId, sizes) => {
        const first = this.#last + 1n;
        this.#last += BigInt(sizes.length);
        this.#inFlight.set(first, { first, last: this.#last, datasetId, sizes, epoch });
        return first;
      },
      recordStored: async (first) => void this.#inFlight.delete(first),
    };
  }

  get last(): bigint {
    return this.#last;
  }

  /** The watermark: no insert is in flight at or below it. */
  watermark(): bigint {
    const firsts = [...this.#inFlight.keys()];
    return firsts.reduce((min, first) => (first < min ? first : min), this.#last + 1n) - 1n;
  }

  /** The inserts left for other processes to fence, when these processes are gone. */
  leftBy(gone: ReadonlySet<bigint>) {
    return {
      stale: async (): Promise<readonly InflightInsert[]> =>
        [...this.#inFlight.values()].filter(({ epoch }) => gone.has(epoch)),
      giveUp: async (arrivals: readonly Arrival[]): Promise<void> => {
        for (const { first } of arrivals) this.#inFlight.delete(first);
      },
    };
  }
}
