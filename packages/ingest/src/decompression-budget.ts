import { ByteUsage } from '@millrace/runtime/memory/fair-share';

/** A reservation in the memory budget of large bodies. */
export interface Reservation {
  /** Resolves when the reservation is granted. */
  readonly granted: Promise<void>;
  /** Releases everything above this size; false if the reservation is smaller. */
  shrink(bytes: number): boolean;
  /** Releases it, or cancels the wait. */
  release(): void;
}

interface Request {
  readonly token: string;
  bytes: number;
  readonly grant: () => void;
}

/**
 * Memory budget for expanded bodies. Encoding takes a multiple of the size of a body. Large bodies
 * that do not fit next to each other are queued: tokens take turns, and bodies of a token are first
 * in, first out. A single body always fits.
 */
export class DecompressionBudget {
  readonly #maxBytes: number;
  readonly #grantedRequests = new Set<Request>();
  readonly #queue: Request[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the granted reservations. */
  get bytes(): number {
    return [...this.#grantedRequests].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  take(bytes: number, token = ''): Reservation {
    let request!: Request;
    const granted = new Promise<void>((grant) => {
      request = { token, bytes, grant };
    });
    this.#queue.push(request);
    this.#grantWaiting();
    return {
      granted,
      shrink: (less) => {
        if (less > request.bytes) return false;
        request.bytes = less;
        this.#grantWaiting();
        return true;
      },
      release: () => {
        const index = this.#queue.indexOf(request);
        if (index >= 0) this.#queue.splice(index, 1);
        this.#grantedRequests.delete(request);
        this.#grantWaiting();
      },
    };
  }

  #grantWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#grantedRequests.size > 0 && this.bytes + next.bytes > this.#maxBytes) return;
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#grantedRequests.add(next);
      next.grant();
    }
  }

  /** The first request of the token with the smallest granted reservations. */
  #next(): Request | undefined {
    const usage = new ByteUsage();
    for (const { token, bytes } of this.#grantedRequests) usage.add(token, bytes);
    const smallest = Math.min(...this.#queue.map(({ token }) => usage.of(token).own));
    return this.#queue.find(({ token }) => usage.of(token).own === smallest);
  }
}
