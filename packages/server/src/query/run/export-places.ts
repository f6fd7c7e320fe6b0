import { RunningTime } from '../../async/running-time.js';
import { httpError } from '../../errors.js';
import { Turns } from './turns.js';

/** Streams from the engine until the signal aborts. */
type Read = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

interface ExportPlacesOptions {
  /** Streams that are read at once; the others wait. */
  readonly atOnce: number;
  /**
   * The least that a reader has to take while others wait, in bytes a second. With 0 all may take
   * as long as they like.
   */
  readonly leastReaderPace: number;
  /**
   * How long a stream may give nothing while somebody with fewer places waits, milliseconds.
   * Default: as long as it likes.
   */
  readonly quietExportTimeout?: number;
}

/**
 * How many bytes a reader may be behind. At the default pace this is a pause of 16 s, or three
 * minutes of reading a tenth too slowly.
 */
const slackBytes = 2 ** 20;
/**
 * The most bytes that a reader has to make up for, so that one which becomes fast again has soon
 * caught up, however long it was slow while nobody waited.
 */
const mostOwed = 2 * slackBytes;
/** How often each of those who wait looks for a reader that is too slow, milliseconds. */
const lookEvery = 1000;

/**
 * Limits how many long answers are streamed at once. Each takes memory of the engine for as long as
 * its reader takes, so places are few, and readers that are slow enough would keep them for ever. A
 * reader that has fallen too far behind the least pace loses its place if somebody waits for one,
 * and so does a stream that gives nothing for long, if a party with fewer places waits. Otherwise
 * nobody loses a place, because a stream that was ended has to be read again from the start. Of
 * more than two places, one is kept for parties that have none.
 */
export class ExportPlaces {
  readonly #turns: Turns;
  readonly #pace: number;
  readonly #quiet: number;
  readonly #taken = new Set<ExportPlace>();
  readonly #time = new RunningTime();

  constructor({ atOnce, leastReaderPace, quietExportTimeout = Infinity }: ExportPlacesOptions) {
    this.#turns = new Turns(atOnce, atOnce > 2 ? 1 : 0);
    this.#pace = leastReaderPace;
    this.#quiet = quietExportTimeout;
  }

  /**
   * Reads a stream once there is a place for it, and keeps the place until the reader of these
   * pieces has taken the last one.
   * @param who the party that asks; parties take turns, see `Turns`
   * @throws HttpError `reader-too-slow` when the place was lost, `query-cancelled` if the signal
   * aborts before there was one; whatever `read` throws
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
      switch (place.lost) {
        case 'slow':
          throw httpError('reader-too-slow', { pace: this.#pace });
        case 'quiet':
          throw httpError('no-row-in-time', { seconds: this.#quiet / 1000 });
        case undefined:
          throw error;
      }
    } finally {
      place.leave();
    }
  }

  async #take(who: string, outer: AbortSignal): Promise<ExportPlace> {
    const looking = setInterval(() => this.#endOne(who), lookEvery);
    try {
      const giveBack = await this.#turns.hold(who, outer);
      const place: ExportPlace = new ExportPlace(who, outer, this.#pace, this.#time, () => {
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
  #endOne(waits: string): void {
    let slowest: ExportPlace | undefined;
    for (const place of this.#taken) if (place.behind > (slowest?.behind ?? slackBytes)) slowest = place;
    if (slowest !== undefined) return slowest.lose('slow');
    const quietest = [...this.#taken]
      .filter(({ who, quiet }) => quiet > this.#quiet && this.#placesOf(who) > this.#placesOf(waits))
      .toSorted((a, b) => b.quiet - a.quiet)[0];
    quietest?.lose('quiet');
  }

  #placesOf(who: string): number {
    return [...this.#taken].filter((place) => place.who === who).length;
  }
}

class ExportPlace {
  readonly who: string;
  lost: 'slow' | 'quiet' | undefined;
  /** When it last gave something, or began. */
  #gaveAt: number;
  readonly #pace: number;
  readonly #time: RunningTime;
  readonly #left: () => void;
  readonly #outer: AbortSignal;
  readonly #ending = new AbortController();
  /** Its reader may never come back for the next piece, so the place is free from here on. */
  readonly #end = (): void => {
    this.#ending.abort();
    this.leave();
  };
  /**
   * How many bytes the reader was behind when it took its last piece. Having been fast earns it
   * nothing.
   */
  #owed = 0;
  /**
   * The piece that waits to be taken. Only this waiting counts: it is not the reader's fault if the
   * next piece takes long to make.
   */
  #waiting: { readonly bytes: number; readonly since: number } | undefined;

  constructor(who: string, outer: AbortSignal, pace: number, time: RunningTime, left: () => void) {
    this.who = who;
    this.#pace = pace;
    this.#time = time;
    this.#gaveAt = time.now();
    this.#left = left;
    this.#outer = outer;
    if (outer.aborted) this.#ending.abort();
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

  /** Milliseconds for which its reader has waited in vain. */
  get quiet(): number {
    return this.#waiting === undefined ? this.#time.now() - this.#gaveAt : 0;
  }

  given(bytes: number): void {
    this.#waiting = { bytes, since: this.#time.now() };
  }

  took(): void {
    this.#owed = Math.min(mostOwed, Math.max(0, this.behind));
    this.#waiting = undefined;
    this.#gaveAt = this.#time.now();
  }

  /** The reader learns of it with its next piece, but the place is free now. */
  lose(why: 'slow' | 'quiet'): void {
    this.lost = why;
    this.#end();
  }

  leave(): void {
    this.#outer.removeEventListener('abort', this.#end);
    this.#left();
  }
}
