/** Maximum time per tick in which requests start, in milliseconds. */
const longest = 2;
/** Number of consecutive ticks that only accept connections; then requests may start. */
const turnsForConnections = 8;
/** Maximum queued requests that start per tick. */
const maxPerTurn = 32;

/**
 * Fair queue of requests. One thread serves all, so a thousand connections of one client would
 * delay every request of other clients at each step. Requests start immediately while the tick has
 * time; the others are queued, and clients take turns.
 */
export class FairRequestQueue {
  /** Queued requests by sender. The sender to serve next is first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  /** Number of scheduled callbacks. Each starts one request. */
  #scheduledCount = 0;
  /** When the first request of this tick started. */
  #began: number | undefined;

  /** Whether a connection was accepted in this tick, and the number of such ticks. */
  #hasAccepted = false;
  #acceptedTurns = 0;

  /** Number of queued requests. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * @param senderOf called only if the request is queued
   * @param begin called immediately, or later
   */
  add(senderOf: () => string, begin: () => void): void {
    if (this.#waitingCount === 0 && this.#hasTime()) return begin();
    const sender = senderOf();
    const line = this.#lines.get(sender);
    if (line === undefined) this.#lines.set(sender, [begin]);
    else line.push(begin);
    this.#waitingCount++;
    this.#expect();
  }

  /**
   * Call when a connection was accepted. Node accepts one connection per tick, and hundreds may be
   * queued, including those of other senders: ticks should be many and short.
   */
  accept(): void {
    if (this.#hasAccepted) return;
    this.#hasAccepted = true;
    this.#acceptedTurns++;
    setImmediate(() => {
      this.#hasAccepted = false;
    });
  }

  #hasTime(): boolean {
    if (this.#hasAccepted && this.#acceptedTurns % (turnsForConnections + 1) !== 0) return false;
    if (this.#began !== undefined) return performance.now() - this.#began < longest;
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
    });
    return true;
  }

  /**
   * One callback per request: the synchronous part of a request is complete before the next one
   * starts.
   */
  #expect(): void {
    if (this.#scheduledCount > 0) return;
    for (; this.#scheduledCount < Math.min(maxPerTurn, this.#waitingCount); this.#scheduledCount++)
      setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduledCount--;
    const [first] = this.#lines;
    if (first !== undefined && this.#hasTime()) {
      const [sender, line] = first;
      const begin = line.shift()!;
      this.#waitingCount--;
      // At the end of the queue.
      this.#lines.delete(sender);
      if (line.length > 0) this.#lines.set(sender, line);
      begin();
    }
    if (this.#scheduledCount === 0 && this.#waitingCount > 0) this.#expect();
  }
}
