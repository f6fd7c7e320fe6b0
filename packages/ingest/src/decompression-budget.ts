import { ByteUsage } from '@millrace/runtime/memory/fair-share';

/** A reservation in the memory budget of large bodies. */
export interface Place {
  /** Resolves when the reservation is granted. */
  readonly taken: Promise<void>;
  /** Releases everything above this size; false if the reservation is smaller. */
  shrink(bytes: number): boolean;
  /** Releases it, or cancels the wait. */
  leave(): void;
}

interface Waiting {
  readonly token: string;
  bytes: number;
  readonly enter: () => void;
}

/**
 * Memory budget for expanded bodies. Encoding takes a multiple of the size of a body. Large bodies
 * that do not fit next to each other are queued: tokens take turns, and bodies of a token are first
 * in, first out. A single body always fits.
 */
export class DecompressionBudget {
  readonly #most: number;
  readonly #inside = new Set<Waiting>();
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of the granted reservations. */
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
    const inside = new ByteUsage();
    for (const { token, bytes } of this.#inside) inside.add(token, bytes);
    const least = Math.min(...this.#waiting.map(({ token }) => inside.of(token).own));
    return this.#waiting.find(({ token }) => inside.of(token).own === least);
  }
}
