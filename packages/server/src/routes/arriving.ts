/** A body that is on its way. */
export interface ArrivingBody {
  /**
   * More of it is here.
   * @throws what refuses it
   */
  grew(bytes: number): void;
  /** All of it is here, or no more will come. Said once. */
  over(): void;
}

/** Bytes between two looks at whether there is room: a small body is not looked at again. */
const lookBytes = 256 * 1024;

/**
 * The bodies that are on their way, which are held in memory as far as they have come. What is only announced takes none, and must not keep others
 * away.
 */
export class ArrivingBodies {
  #bytes = 0;

  /** Bytes that have come of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param refuse throws when there is no room; given the bytes of all other bodies, so that the one that has come the farthest goes on, and one alone
   * always does
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
      over: () => {
        this.#bytes -= own;
      },
    };
  }
}
