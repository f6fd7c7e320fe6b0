/** What is taken of a room, and how much of that one party has. */
export interface Taken {
  readonly all: number;
  readonly own: number;
}

/** The same, for somebody who wants more. */
export interface TakenFor extends Taken {
  readonly party: string;
}

/** What is asked for by the server itself. */
export const nobodys: TakenFor = { party: '', all: 0, own: 0 };

/** Counts how many bytes each party has. */
export class TakenBytes {
  #all = 0;
  readonly #of = new Map<string, number>();

  get all(): number {
    return this.#all;
  }

  of(party: string): Taken {
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

export const together = (a: Taken, b: Taken): Taken => ({ all: a.all + b.all, own: a.own + b.own });

/** How many times as much as is free one party may have. */
const timesFree = 3;

/**
 * Whether a party may have more of a room. Nobody has more than three times what is still free: one
 * party alone three quarters of the room, two of them three sevenths each, and there is always
 * something left for one that has nothing. Switches divide their memory among ports by such a rule.
 */
export const mayHaveMore = ({ all, own }: Taken, room: number): boolean => own <= timesFree * (room - all);
