/** A body that is arriving. */
export interface ArrivingBody {
  /**
   * Counts more bytes of the body.
   * @throws what `refuse` throws when there is no room
   */
  grew(bytes: number): void;
  /** Bytes of the body that are not held any more, of one that is stored while it comes. */
  shrank(bytes: number): void;
  /** Call once, when the body is complete or no more will come. */
  over(): void;
}

/** Bytes between two checks for room; a smaller body is not checked again. */
const lookBytes = 256 * 1024;

/**
 * The bodies that are arriving, of which the part that has come is held in memory. What is only
 * announced takes no memory and must not keep others out.
 */
export class ArrivingBodies {
  #bytes = 0;

  /** Bytes that have come of all bodies together. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param refuse throws when there is no room. It gets the bytes of all other bodies, so that the
   * body of which most has come goes on, and a single body always does
   */
  begin(refuse?: (others: number) => void): ArrivingBody {
    let own = 0;
    let looked = 0;
    return {
      grew: (bytes) => {
        own += bytes;
        this.#bytes += bytes;
        if (refuse === undefined || own - looked < lookBytes) return;
        looked = own;
        refuse(this.#bytes - own);
      },
      shrank: (bytes) => {
        own -= bytes;
        this.#bytes -= bytes;
        looked = Math.min(looked, own);
      },
      over: () => {
        this.#bytes -= own;
      },
    };
  }
}
