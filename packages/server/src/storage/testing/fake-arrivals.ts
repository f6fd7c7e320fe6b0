import type { Arrival, UnderWay } from '../../metadata/postgres/arrivals.js';
import type { ArrivalOrder } from '../shared/group-commit.js';

/** The order of arrival in memory, as `Arrivals` keeps it in PostgreSQL. */
export class FakeArrivals {
  #last: bigint;
  readonly #underWay = new Map<bigint, UnderWay & { readonly epoch: bigint }>();

  /** @param last nothing is given at or below it */
  constructor(last = 0n) {
    this.#last = last;
  }

  of(epoch: bigint): ArrivalOrder {
    return {
      take: async (datasetId, sizes) => {
        const first = this.#last + 1n;
        this.#last += BigInt(sizes.length);
        this.#underWay.set(first, { first, last: this.#last, datasetId, sizes, epoch });
        return first;
      },
      done: async (first) => void this.#underWay.delete(first),
    };
  }

  get last(): bigint {
    return this.#last;
  }

  /** Nothing is under way at or below it. */
  settled(): bigint {
    const firsts = [...this.#underWay.keys()];
    return firsts.reduce((least, first) => (first < least ? first : least), this.#last + 1n) - 1n;
  }

  /** What is left for somebody else to give up, when these processes are gone. */
  leftBy(gone: ReadonlySet<bigint>) {
    return {
      stale: async (): Promise<readonly UnderWay[]> =>
        [...this.#underWay.values()].filter(({ epoch }) => gone.has(epoch)),
      giveUp: async (arrivals: readonly Arrival[]): Promise<void> => {
        for (const { first } of arrivals) this.#underWay.delete(first);
      },
    };
  }
}
