import { httpError } from '@millrace/api/errors';
import { type UsageByKey, ByteUsage } from '@millrace/runtime/memory/fair-share';

/** A body that is arriving. */
export interface InflightBody {
  /**
   * Counts more bytes of the body.
   * @throws errors of `refuse` without capacity, or the error with which the body was aborted
   */
  grew(bytes: number): void;
  /** Releases bytes of a body that is stored while it arrives. */
  shrank(bytes: number): void;
  /** Call once, when the body is complete or no more will come. */
  end(): void;
  /** Calls the listener when the body is aborted while it is idle. */
  onLost(listener: (error: Error) => void): void;
}

/**
 * Throws if there is no capacity for more.
 * @param others usage of all other bodies; `own` is the part of the same quota key
 */
export type RefuseBody = (others: UsageByKey) => void;

/** Bytes between two capacity checks; smaller bodies are checked only once. */
const lookBytes = 256 * 1024;

/** A body in transit. */
interface BodyState {
  readonly party: string;
  bytes: number;
  /** Time of the last received bytes, by `performance.now()`. */
  grewAt: number;
  lost: Error | undefined;
  listener: ((error: Error) => void) | undefined;
}

/**
 * Bodies in transit; their received part is in memory. Announced bytes take no memory and do not
 * block other bodies. Without free capacity, a body that has been idle for long is aborted.
 */
export class InflightBodies {
  readonly #quietMilliseconds: number;
  readonly #usage = new ByteUsage();
  readonly #waitingBodies = new Set<BodyState>();

  /** @param quietMilliseconds idle timeout of a body while others lack capacity */
  constructor(quietMilliseconds = Infinity) {
    this.#quietMilliseconds = quietMilliseconds;
  }

  /** Bytes that have come of all bodies together. */
  get bytes(): number {
    return this.#usage.all;
  }

  /**
   * Rejects a body before it arrives, if there is no capacity.
   * @throws errors of `refuse`
   */
  admit(party: string, refuse: RefuseBody): void {
    this.#requireRoom(party, () => refuse({ party, ...this.#usage.of(party) }));
  }

  /**
   * @param refuse is called repeatedly. Its argument leaves out this body if it is larger than all
   * others of its quota key together: that one continues, so that a single body always completes
   */
  begin(party: string, refuse?: RefuseBody): InflightBody {
    const body: BodyState = { party, bytes: 0, grewAt: performance.now(), lost: undefined, listener: undefined };
    let looked = 0;
    const add = (bytes: number): void => {
      body.bytes += bytes;
      this.#usage.add(party, bytes);
    };
    this.#waitingBodies.add(body);
    return {
      grew: (bytes) => {
        if (body.lost !== undefined) throw body.lost;
        add(bytes);
        body.grewAt = performance.now();
        if (refuse === undefined || body.bytes - looked < lookBytes) return;
        looked = body.bytes;
        this.#requireRoom(party, () => refuse(this.#besides(body)));
      },
      shrank: (bytes) => {
        // An aborted body has released everything.
        if (body.lost !== undefined) return;
        add(-bytes);
        looked = Math.min(looked, body.bytes);
      },
      end: () => {
        add(-body.bytes);
        this.#waitingBodies.delete(body);
      },
      onLost: (listener) => {
        body.listener = listener;
      },
    };
  }

  #besides({ party, bytes }: BodyState): UsageByKey {
    const { all, own } = this.#usage.of(party);
    const hasMost = bytes > own - bytes;
    return hasMost ? { party, all: all - bytes, own: own - bytes } : { party, all, own };
  }

  #requireRoom(party: string, check: () => void): void {
    for (;;) {
      try {
        return check();
      } catch (error) {
        if (!this.#endQuietest(party)) throw error;
      }
    }
  }

  /** Aborts the body that has been idle for longest, preferring the same quota key. */
  #endQuietest(party: string): boolean {
    const since = performance.now() - this.#quietMilliseconds;
    const quiet = [...this.#waitingBodies].filter(({ grewAt, bytes }) => grewAt < since && bytes > 0);
    const own = quiet.filter((body) => body.party === party);
    const [quietest] = (own.length > 0 ? own : quiet).toSorted((a, b) => a.grewAt - b.grewAt);
    if (quietest === undefined) return false;
    this.#waitingBodies.delete(quietest);
    this.#usage.add(quietest.party, -quietest.bytes);
    quietest.bytes = 0;
    quietest.lost = httpError('body-stalled', { seconds: this.#quietMilliseconds / 1000 });
    quietest.listener?.(quietest.lost);
    return true;
  }
}
