import { TakenBytes } from '../memory/taken-bytes.js';

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
  readonly token: string;
  bytes: number;
  readonly enter: () => void;
}

/**
 * Memory for what bodies expand to. Encoding takes several times as much as there is to encode, so
 * large bodies that do not fit beside one another wait for their turn, tokens one after
 * the other, and each in the order in which they came; one alone always fits.
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

  take(bytes: number, token = ''): Place {
    let waiting!: Waiting;
    const taken = new Promise<void>((enter) => {
      waiting = { token, bytes, enter };
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
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#inside.size > 0 && this.bytes + next.bytes > this.#most) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#inside.add(next);
      next.enter();
    }
  }

  /** The first one of the token that has least inside. */
  #next(): Waiting | undefined {
    const inside = new TakenBytes();
    for (const { token, bytes } of this.#inside) inside.add(token, bytes);
    const least = Math.min(...this.#waiting.map(({ token }) => inside.of(token).own));
    return this.#waiting.find(({ token }) => inside.of(token).own === least);
  }
}
