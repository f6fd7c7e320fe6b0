/** Longest that requests begin in one turn of the event loop, in milliseconds. */
const longest = 2;
/** So many turns in which a connection was accepted are left to the next one; then some begin. */
const turnsForConnections = 8;
/** Most that begin in one turn after having waited. */
const mostInTurn = 32;

/**
 * Decides which request begins next when many come at once. One thread answers all of them, so a
 * thousand connections of one sender would be a thousand requests ahead of anybody else's, at each
 * of its steps. Requests begin as they come while there is time in a turn of the event loop; the
 * others wait, and senders take turns.
 */
export class SenderTurns {
  /** Those who wait, by sender. The sender whose turn is next comes first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #waiting = 0;
  /** Callbacks that are still to come in which one may begin. */
  #expected = 0;
  /** When the first request began in this turn of the loop. */
  #began: number | undefined;

  /** Whether a connection was accepted in this turn of the loop, and how many turns had one. */
  #accepted = false;
  #acceptedTurns = 0;

  /** How many wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @param senderOf asked only when the request has to wait
   * @param begin called at once, or later
   */
  add(senderOf: () => string, begin: () => void): void {
    if (this.#waiting === 0 && this.#hasTime()) return begin();
    const sender = senderOf();
    const line = this.#lines.get(sender);
    if (line === undefined) this.#lines.set(sender, [begin]);
    else line.push(begin);
    this.#waiting++;
    this.#expect();
  }

  /**
   * A connection was accepted. Node accepts one in each turn of the loop, and hundreds may wait for
   * it, with somebody else's behind them: so there should be many turns, and short ones.
   */
  accepted(): void {
    if (this.#accepted) return;
    this.#accepted = true;
    this.#acceptedTurns++;
    setImmediate(() => {
      this.#accepted = false;
    });
  }

  #hasTime(): boolean {
    if (this.#accepted && this.#acceptedTurns % (turnsForConnections + 1) !== 0) return false;
    if (this.#began !== undefined) return performance.now() - this.#began < longest;
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
    });
    return true;
  }

  /** A callback for each: what a request does at once is done before the next one begins. */
  #expect(): void {
    if (this.#expected > 0) return;
    for (; this.#expected < Math.min(mostInTurn, this.#waiting); this.#expected++) setImmediate(() => this.#next());
  }

  #next(): void {
    this.#expected--;
    const [first] = this.#lines;
    if (first !== undefined && this.#hasTime()) {
      const [sender, line] = first;
      const begin = line.shift()!;
      this.#waiting--;
      // Behind all others.
      this.#lines.delete(sender);
      if (line.length > 0) this.#lines.set(sender, line);
      begin();
    }
    if (this.#expected === 0 && this.#waiting > 0) this.#expect();
  }
}
