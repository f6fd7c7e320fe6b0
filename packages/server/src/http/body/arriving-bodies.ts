import { httpError } from '../../errors.js';
import { type TakenFor, TakenBytes } from '../../memory/taken-bytes.js';

/** A body that is arriving. */
export interface ArrivingBody {
  /**
   * Counts more bytes of the body.
   * @throws what `refuse` throws when there is no room, or why the body has lost its place
   */
  grew(bytes: number): void;
  /** Bytes of the body that are not held any more, of one that is stored while it comes. */
  shrank(bytes: number): void;
  /** Call once, when the body is complete or no more will come. */
  over(): void;
  /** Calls the listener when the body loses its place while nothing of it comes. */
  onLost(listener: (error: Error) => void): void;
}

/**
 * Throws when there is no room for more.
 * @param others what all other bodies have; `own` is what those of the same party do
 */
export type RefuseBody = (others: TakenFor) => void;

/** Bytes between two checks for room; a smaller body is not checked again. */
const lookBytes = 256 * 1024;

/** A body that has a place. */
interface Held {
  readonly party: string;
  bytes: number;
  /** When something of it came last, by `performance.now()`. */
  grewAt: number;
  lost: Error | undefined;
  listener: ((error: Error) => void) | undefined;
}

/**
 * The bodies that are arriving, of which the part that has come is held in memory. What is only
 * announced takes no memory and must not keep others out. Where there is no room for more, a body
 * of which nothing has come for long loses its place.
 */
export class ArrivingBodies {
  readonly #quietMilliseconds: number;
  readonly #taken = new TakenBytes();
  readonly #held = new Set<Held>();

  /** @param quietMilliseconds for how long nothing of a body may come while others have no room */
  constructor(quietMilliseconds = Infinity) {
    this.#quietMilliseconds = quietMilliseconds;
  }

  /** Bytes that have come of all bodies together. */
  get bytes(): number {
    return this.#taken.all;
  }

  /**
   * Refuses a body before it comes, if there is no room for it.
   * @throws what `refuse` throws
   */
  admit(party: string, refuse: RefuseBody): void {
    this.#requireRoom(party, () => refuse({ party, ...this.#taken.of(party) }));
  }

  /**
   * @param refuse is asked again and again. It does not get the bytes of the body itself when it
   * has more than all others of its party together: that one goes on, and a single one always does
   */
  begin(party: string, refuse?: RefuseBody): ArrivingBody {
    const body: Held = { party, bytes: 0, grewAt: performance.now(), lost: undefined, listener: undefined };
    let looked = 0;
    const add = (bytes: number): void => {
      body.bytes += bytes;
      this.#taken.add(party, bytes);
    };
    this.#held.add(body);
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
        // One that has lost its place has given all of it back.
        if (body.lost !== undefined) return;
        add(-bytes);
        looked = Math.min(looked, body.bytes);
      },
      over: () => {
        add(-body.bytes);
        this.#held.delete(body);
      },
      onLost: (listener) => {
        body.listener = listener;
      },
    };
  }

  #besides({ party, bytes }: Held): TakenFor {
    const { all, own } = this.#taken.of(party);
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

  /**
   * Takes the place from the body that has been quiet for longest; one of the same party, if there
   * is one.
   */
  #endQuietest(party: string): boolean {
    const since = performance.now() - this.#quietMilliseconds;
    const quiet = [...this.#held].filter(({ grewAt, bytes }) => grewAt < since && bytes > 0);
    const own = quiet.filter((body) => body.party === party);
    const [quietest] = (own.length > 0 ? own : quiet).toSorted((a, b) => a.grewAt - b.grewAt);
    if (quietest === undefined) return false;
    this.#held.delete(quietest);
    this.#taken.add(quietest.party, -quietest.bytes);
    quietest.bytes = 0;
    quietest.lost = httpError('body-stalled', { seconds: this.#quietMilliseconds / 1000 });
    quietest.listener?.(quietest.lost);
    return true;
  }
}
