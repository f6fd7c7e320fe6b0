/** The part of a connection that decides about its slot. */
interface ConnectionSlot {
  /** Bytes that have come through it. */
  readonly bytesRead: number;
}

/**
 * Connection slots of a listener. When all are in use, a new connection evicts one from the client
 * with the most connections, so that no client can block others by occupying all slots. The evicted
 * connection is the one that has sent least.
 */
export class ConnectionSlots<Connection extends ConnectionSlot> {
  readonly #max: number;
  readonly #leave: (connection: Connection) => void;
  /** Connection → its client address. */
  readonly #connections = new Map<Connection, string>();

  /** @param leave called with the connection that loses its slot */
  constructor(max: number, leave: (connection: Connection) => void) {
    this.#max = max;
    this.#leave = leave;
  }

  get all(): Iterable<Connection> {
    return this.#connections.keys();
  }

  /** @returns whether the connection got a slot */
  take(connection: Connection, from: string): boolean {
    if (this.#connections.size >= this.#max && !this.#makeRoomFor(from)) return false;
    this.#connections.set(connection, from);
    return true;
  }

  leave(connection: Connection): void {
    this.#connections.delete(connection);
  }

  #makeRoomFor(from: string): boolean {
    const bySender = new Map<string, Connection[]>();
    for (const [connection, sender] of this.#connections) {
      const others = bySender.get(sender);
      if (others === undefined) bySender.set(sender, [connection]);
      else others.push(connection);
    }
    const max = [...bySender.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (max.length <= (bySender.get(from)?.length ?? 0) + 1) return false;
    const goes = max.reduce((one, other) => (other.bytesRead < one.bytesRead ? other : one));
    this.#connections.delete(goes);
    this.#leave(goes);
    return true;
  }
}
