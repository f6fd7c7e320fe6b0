/**
 * Rate limiter of one notifier: half of its limit per minute as a burst, the rest spread over the
 * minute. So an urgent message waits only seconds, even after many others.
 */
export class Pace {
  readonly #burst: number;
  readonly #everyMilliseconds: number;
  #room: number;
  #at = 0;

  constructor(perMinute: number) {
    this.#burst = Math.max(1, Math.floor(perMinute / 2));
    this.#everyMilliseconds = 60_000 / Math.max(1, perMinute - this.#burst);
    this.#room = this.#burst;
  }

  /** @param now milliseconds since the epoch; if the clock was set back, no capacity is lost */
  hasRoom(now: number): boolean {
    const gained = this.#at === 0 ? 0 : Math.max(0, now - this.#at) / this.#everyMilliseconds;
    this.#room = Math.min(this.#burst, this.#room + gained);
    this.#at = now;
    return this.#room >= 1;
  }

  /** Uses the capacity for one message. */
  take(): void {
    this.#room--;
  }
}
