/** Of a connection, as far as it matters for its place. */
interface Placed {
  /** Bytes that have come through it. */
  readonly bytesRead: number;
}

/**
 * The connections of a listener, of which there are only so many. When all are taken, a newcomer
 * gets a place of whoever has most of them, so that one sender cannot keep the others out by
 * holding all: the connection that has sent least has to go.
 */
export class Places<Connection extends Placed> {
  readonly #most: number;
  readonly #leave: (connection: Connection) => void;
  /** Connection → the address it came from. */
  readonly #taken = new Map<Connection, string>();

  /** @param leave is told which connection has lost its place */
  constructor(most: number, leave: (connection: Connection) => void) {
    this.#most = most;
    this.#leave = leave;
  }

  get all(): Iterable<Connection> {
    return this.#taken.keys();
  }

  /** @returns whether there is a place for the connection */
  take(connection: Connection, from: string): boolean {
    if (this.#taken.size >= this.#most && !this.#makeRoomFor(from)) return false;
    this.#taken.set(connection, from);
    return true;
  }

  left(connection: Connection): void {
    this.#taken.delete(connection);
  }

  #makeRoomFor(from: string): boolean {
    const bySender = new Map<string, Connection[]>();
    for (const [connection, sender] of this.#taken) {
      const others = bySender.get(sender);
      if (others === undefined) bySender.set(sender, [connection]);
      else others.push(connection);
    }
    const most = [...bySender.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (most.length <= (bySender.get(from)?.length ?? 0) + 1) return false;
    const goes = most.reduce((one, other) => (other.bytesRead < one.bytesRead ? other : one));
    this.#taken.delete(goes);
    this.#leave(goes);
    return true;
  }
}
