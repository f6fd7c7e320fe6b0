/** Used memory: in total, and by one quota key. */
export interface Usage {
  readonly all: number;
  readonly own: number;
}

/** Used memory, for a quota key that requests more. */
export interface UsageByKey extends Usage {
  readonly party: string;
}

/** For requests of the server itself. */
export const systemUsage: UsageByKey = { party: '', all: 0, own: 0 };

/** Counts the bytes of each quota key. */
export class ByteUsage {
  #all = 0;
  readonly #of = new Map<string, number>();

  get all(): number {
    return this.#all;
  }

  of(party: string): Usage {
    return { all: this.#all, own: this.#of.get(party) ?? 0 };
  }

  /** @param bytes negative when they are given back */
  add(party: string, bytes: number): void {
    this.#all += bytes;
    const own = (this.#of.get(party) ?? 0) + bytes;
    if (own === 0) this.#of.delete(party);
    else this.#of.set(party, own);
  }
}

export const addUsage = (a: Usage, b: Usage): Usage => ({ all: a.all + b.all, own: a.own + b.own });

/** Maximum memory of one quota key, as a multiple of the free memory. */
const timesFree = 3;

/**
 * Whether a quota key may use more of a memory budget. The limit is three times the free memory:
 * one key alone can use three quarters of it, two keys three sevenths each, and a key without
 * memory always gets some. Switches share their buffers among ports by this rule (dynamic
 * thresholds).
 */
export const withinFairShare = ({ all, own }: Usage, room: number): boolean => own <= timesFree * (room - all);
