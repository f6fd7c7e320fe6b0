import { Turns } from './turns.js';
import { type Waiting, waitIn } from './waiting.js';

interface MemoryLimits {
  /** Memory for all that is used beyond what is assured. */
  readonly room: number;
  /** The most that one may have. */
  readonly most: number;
  /** What each may have, whatever others use. */
  readonly assured: number;
}

/** Memory of the engine that somebody may use until it is given back. */
interface MemoryShare {
  readonly bytes: number;
  /** Whether nobody may have more. */
  readonly isWhole: boolean;
  giveBack(): void;
}

/**
 * Divides the engine's memory, so that nobody's queries leave nothing to those of others. What a
 * query will need is not known before it runs. So it gets at once half of what is free, and at
 * least what is assured, which is never taken from others. If that turns out to be too little, it
 * waits for the whole of what one may have, parties one after the other, and whoever begins
 * meanwhile has what is assured.
 */
export class MemoryShares {
  readonly #limits: MemoryLimits;
  readonly #turns = new Turns(1);
  /** The one whose turn it is, as long as there is no room. */
  readonly #waiting: Waiting = new Set();
  #taken = 0;
  #wanted = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** What somebody may use now. */
  offer(): MemoryShare {
    const { room, most, assured } = this.#limits;
    const free = this.#wanted > 0 ? 0 : room - this.#taken;
    return this.#take(Math.min(most, Math.max(assured, Math.floor(free / 2))));
  }

  /**
   * The most that one may have, as soon as it is the party's turn and there is room; for one alone
   * there is always.
   * @throws HttpError `query-cancelled` if the signal aborts before that
   */
  async whole(who: string, signal: AbortSignal): Promise<MemoryShare> {
    this.#wanted++;
    try {
      const next = await this.#turns.hold(who, signal);
      try {
        while (this.#taken > 0 && this.#taken + this.#limits.most > this.#limits.room)
          await waitIn(this.#waiting, signal);
        return this.#take(this.#limits.most);
      } finally {
        next();
      }
    } finally {
      this.#wanted--;
    }
  }

  #take(bytes: number): MemoryShare {
    const taken = bytes > this.#limits.assured ? bytes : 0;
    this.#taken += taken;
    let over = false;
    return {
      bytes,
      isWhole: bytes >= this.#limits.most,
      giveBack: () => {
        if (over) return;
        over = true;
        this.#taken -= taken;
        for (const goOn of this.#waiting) {
          this.#waiting.delete(goOn);
          goOn();
        }
      },
    };
  }
}
