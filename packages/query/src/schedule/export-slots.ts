import { ActiveClock } from '@millrace/runtime/async/active-clock';
import { httpError } from '@millrace/api/errors';
import { FairScheduler } from './fair-scheduler.js';

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
   * Maximum milliseconds that a stream may produce nothing while a quota key with fewer slots
   * waits. Default: unlimited.
   */
  readonly quietExportTimeout?: number;
}

/**
 * How many bytes a reader may lag. At the default rate this is a pause of 16 s, or three minutes of
 * reading 10% too slowly.
 */
const slackBytes = 2 ** 20;
/**
 * Maximum backlog of a reader in bytes, so that a reader that becomes fast again soon catches up,
 * however long it was slow while no export waited.
 */
const maxDebtBytes = 2 * slackBytes;
/** How often each waiting export looks for a reader that is too slow, milliseconds. */
const lookEvery = 1000;

/**
 * Limits how many exports stream at once. Each uses memory of the engine for as long as its reader
 * takes, so slots are few, and slow readers could occupy them forever. If an export waits, a reader
 * that lags too far below the minimum rate loses its slot. So does a stream that produces nothing
 * for long, if a quota key with fewer slots waits. Otherwise a reader never loses its slot, because
 * an aborted stream must restart from the beginning. With more than two slots, one is reserved for
 * quota keys that have none.
 */
export class ExportSlots {
  readonly #scheduler: FairScheduler;
  readonly #pace: number;
  readonly #quiet: number;
  readonly #openSlots = new Set<ExportPlace>();
  readonly #time = new ActiveClock();

  constructor({ atOnce, leastReaderPace, quietExportTimeout = Infinity }: ExportPlacesOptions) {
    this.#scheduler = new FairScheduler(atOnce, atOnce > 2 ? 1 : 0);
    this.#pace = leastReaderPace;
    this.#quiet = quietExportTimeout;
  }

  /**
   * Reads a stream once a slot is available, and holds the slot until the reader has taken the last
   * chunk.
   * @param who the quota key; keys are scheduled fairly, see `Turns`
   * @throws HttpError `reader-too-slow` when the slot was lost, `query-cancelled` if the signal
   * aborts before there was one; errors of `read`
   */
  async *stream(who: string, outer: AbortSignal, read: Read): AsyncGenerator<Uint8Array> {
    const place = await this.#take(who, outer);
    try {
      for await (const piece of read(place.signal)) {
        place.recordWritten(piece.byteLength);
        yield piece;
        place.took();
      }
    } catch (error) {
      switch (place.lossReason) {
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
      const giveBack = await this.#scheduler.acquire(who, outer);
      const place: ExportPlace = new ExportPlace(who, outer, this.#pace, this.#time, () => {
        this.#openSlots.delete(place);
        if (this.#openSlots.size === 0) this.#time.stop();
        giveBack();
      });
      this.#openSlots.add(place);
      this.#time.start();
      return place;
    } finally {
      clearInterval(looking);
    }
  }

  /** Called for each waiting export; the slot goes to the next one in the queue. */
  #endOne(waits: string): void {
    let slowest: ExportPlace | undefined;
    for (const place of this.#openSlots) if (place.debt > (slowest?.debt ?? slackBytes)) slowest = place;
    if (slowest !== undefined) return slowest.lose('slow');
    const quietest = [...this.#openSlots]
      .filter(({ quotaKey, quiet }) => quiet > this.#quiet && this.#placesOf(quotaKey) > this.#placesOf(waits))
      .toSorted((a, b) => b.quiet - a.quiet)[0];
    quietest?.lose('quiet');
  }

  #placesOf(who: string): number {
    return [...this.#openSlots].filter((place) => place.quotaKey === who).length;
  }
}

class ExportPlace {
  readonly quotaKey: string;
  lossReason: 'slow' | 'quiet' | undefined;
  /** When it last gave something, or began. */
  #gaveAt: number;
  readonly #pace: number;
  readonly #time: ActiveClock;
  readonly #onLeave: () => void;
  readonly #outer: AbortSignal;
  readonly #endController = new AbortController();
  /** Its reader may never request the next chunk, so the slot is free from here on. */
  readonly #end = (): void => {
    this.#endController.abort();
    this.leave();
  };
  /** How many bytes the reader lagged when it took its last chunk. Fast reading earns no credit. */
  #owedBytes = 0;
  /**
   * The piece that waits to be taken. Only this waiting counts: it is not the reader's fault if the
   * next piece takes long to make.
   */
  #pendingChunk: { readonly bytes: number; readonly since: number } | undefined;

  constructor(who: string, outer: AbortSignal, pace: number, time: ActiveClock, left: () => void) {
    this.quotaKey = who;
    this.#pace = pace;
    this.#time = time;
    this.#gaveAt = time.now();
    this.#onLeave = left;
    this.#outer = outer;
    if (outer.aborted) this.#endController.abort();
    else outer.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#endController.signal;
  }

  /** Bytes that the reader should have taken by now and has not. */
  get debt(): number {
    if (this.#pendingChunk === undefined) return this.#owedBytes;
    const { bytes, since } = this.#pendingChunk;
    return this.#owedBytes + ((this.#time.now() - since) / 1000) * this.#pace - bytes;
  }

  /** Milliseconds that the reader has waited for the next chunk. */
  get quiet(): number {
    return this.#pendingChunk === undefined ? this.#time.now() - this.#gaveAt : 0;
  }

  recordWritten(bytes: number): void {
    this.#pendingChunk = { bytes, since: this.#time.now() };
  }

  took(): void {
    this.#owedBytes = Math.min(maxDebtBytes, Math.max(0, this.debt));
    this.#pendingChunk = undefined;
    this.#gaveAt = this.#time.now();
  }

  /** The reader learns of it with its next piece, but the place is free now. */
  lose(why: 'slow' | 'quiet'): void {
    this.lossReason = why;
    this.#end();
  }

  leave(): void {
    this.#outer.removeEventListener('abort', this.#end);
    this.#onLeave();
  }
}
