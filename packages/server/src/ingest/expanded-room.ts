/** A place in the memory for large bodies. */
export interface Place {
  /** Resolves when it is there. */
  readonly taken: Promise<void>;
  /** Gives back what is more than this; false when it is less. */
  shrink(bytes: number): boolean;
  /** Gives it back, or gives up waiting for it. */
  leave(): void;
}

interface Waiting {
  bytes: number;
  readonly enter: () => void;
}

/**
 * Memory for what bodies expand to. Encoding takes several times as much as there is to encode, so
 * large bodies that do not fit beside one another wait for their turn, in the order in which they
 * came; one alone always fits.
 */
export class ExpandedRoom {
  readonly #most: number;
  readonly #inside = new Set<Waiting>();
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of the bodies that have a place. */
  get bytes(): number {
    return [...this.#inside].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  take(bytes: number): Place {
    let waiting!: Waiting;
    const taken = new Promise<void>((enter) => {
      waiting = { bytes, enter };
    });
    this.#waiting.push(waiting);
    this.#admit();
    return {
      taken,
      shrink: (less) => {
        if (less > waiting.bytes) return false;
        waiting.bytes = less;
        this.#admit();
        return true;
      },
      leave: () => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        this.#inside.delete(waiting);
        this.#admit();
      },
    };
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#inside.size > 0 && this.bytes + next.bytes > this.#most) return;
      this.#waiting.shift();
      this.#inside.add(next);
      next.enter();
    }
  }
}
