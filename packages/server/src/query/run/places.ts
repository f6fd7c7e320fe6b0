import { RunningTime } from '../../async/running-time.js';
import { httpError } from '../../errors.js';
import { Turns } from './turns.js';

/** Streams from the engine until the signal aborts. */
export type Read = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

interface PlacesOptions {
  /** Streams that are read at once; the others wait. */
  readonly atOnce: number;
  /** The least that a reader has to take while others wait, in bytes a second. With 0 all may take as long as they like. */
  readonly pace: number;
}

/** How many bytes a reader may be behind. At the default pace this is a pause of 16 s, or three minutes of reading a tenth too slowly. */
const slackBytes = 2 ** 20;
/** The most bytes that a reader has to make up for, so that one which becomes fast again has soon caught up, however long it was slow while nobody waited. */
const mostOwed = 2 * slackBytes;
/** How often each of those who wait looks for a reader that is too slow, milliseconds. */
const lookEvery = 1000;

/**
 * Limits how many long answers are streamed at once. Each takes memory of the engine for as long as its reader takes, so places are few, and readers that are
 * slow enough would keep them for ever. A reader that has fallen too far behind the least pace loses its place if somebody waits for one. Otherwise nobody
 * loses a place, because a stream that was ended has to be read again from the start.
 */
export class Places {
  readonly #turns: Turns;
  readonly #pace: number;
  readonly #taken = new Set<Place>();
  readonly #time = new RunningTime();

  constructor({ atOnce, pace }: PlacesOptions) {
    this.#turns = new Turns(atOnce);
    this.#pace = pace;
  }

  /**
   * Reads a stream once there is a place for it, and keeps the place until the reader of these pieces has taken the last one.
   * @param who the party that asks; parties take turns, see `Turns`
   * @throws HttpError `reader-too-slow` when the place was lost, `query-cancelled` if the signal aborts before there was one; whatever `read` throws
   */
  async *stream(who: string, outer: AbortSignal, read: Read): AsyncGenerator<Uint8Array> {
    const place = await this.#take(who, outer);
    try {
      for await (const piece of read(place.signal)) {
        place.given(piece.byteLength);
        yield piece;
        place.took();
      }
    } catch (error) {
      throw place.lost ? httpError('reader-too-slow', { pace: this.#pace }) : error;
    } finally {
      place.leave();
    }
  }

  async #take(who: string, outer: AbortSignal): Promise<Place> {
    const looking = setInterval(() => this.#endSlowest(), lookEvery);
    try {
      const giveBack = await this.#turns.hold(who, outer);
      const place: Place = new Place(outer, this.#pace, this.#time, () => {
        this.#taken.delete(place);
        if (this.#taken.size === 0) this.#time.stop();
        giveBack();
      });
      this.#taken.add(place);
      this.#time.start();
      return place;
    } finally {
      clearInterval(looking);
    }
  }

  /** Called on behalf of each of those who wait; the place goes to the one whose turn is next. */
  #endSlowest(): void {
    let slowest: Place | undefined;
    for (const place of this.#taken) if (place.behind > (slowest?.behind ?? slackBytes)) slowest = place;
    slowest?.lose();
  }
}

class Place {
  lost = false;
  readonly #pace: number;
  readonly #time: RunningTime;
  readonly #left: () => void;
  readonly #outer: AbortSignal;
  readonly #ending = new AbortController();
  readonly #end = (): void => this.#ending.abort();
  /** How many bytes the reader was behind when it took its last piece. Having been fast earns it nothing. */
  #owed = 0;
  /** The piece that waits to be taken. Only this waiting counts: it is not the reader's fault if the next piece takes long to make. */
  #waiting: { readonly bytes: number; readonly since: number } | undefined;

  constructor(outer: AbortSignal, pace: number, time: RunningTime, left: () => void) {
    this.#pace = pace;
    this.#time = time;
    this.#left = left;
    this.#outer = outer;
    if (outer.aborted) this.#end();
    else outer.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Bytes that the reader should have taken by now and has not. */
  get behind(): number {
    if (this.#waiting === undefined) return this.#owed;
    const { bytes, since } = this.#waiting;
    return this.#owed + ((this.#time.now() - since) / 1000) * this.#pace - bytes;
  }

  given(bytes: number): void {
    this.#waiting = { bytes, since: this.#time.now() };
  }

  took(): void {
    this.#owed = Math.min(mostOwed, Math.max(0, this.behind));
    this.#waiting = undefined;
  }

  /** The reader learns of it with its next piece, but the place is free now. */
  lose(): void {
    this.lost = true;
    this.#end();
    this.leave();
  }

  leave(): void {
    this.#outer.removeEventListener('abort', this.#end);
    this.#left();
  }
}
