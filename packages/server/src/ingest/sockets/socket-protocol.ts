import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { ListenerAddress } from '../../settings/listener-address.js';
import type { Settings } from '../../settings/settings.js';

/**
 * How a protocol is taken from sockets of its own. Everything else is the same for all:
 * `listeners.ts`.
 */
export interface SocketProtocol {
  settings(settings: Settings): SocketSettings;
  /** In which of the protocol's forms the messages of an address are. */
  formOf?(address: ListenerAddress): string;
  /**
   * Reads a connection until it ends, and no faster than its messages are stored.
   * @throws DamagedError if what it sends cannot be read: the connection is closed then
   */
  read(connection: Connection): Promise<void>;
  /** The entry of a batch that a datagram is; absent where there are none. */
  datagram?(message: Buffer, from: string, settings: Settings): Buffer;
}

interface SocketSettings {
  readonly addresses: readonly string[];
  readonly connections: number;
  readonly idleMilliseconds: number;
  /** Most bytes of unfinished messages that all connections of a listener may hold together. */
  readonly heldBytes: number;
}

/** A sender that is connected. */
export interface Connection {
  readonly from: string;
  readonly settings: Settings;
  /** Ends, or breaks, when the connection does; who reads slowly makes the sender wait. */
  readonly pieces: Pick<Readable, typeof Symbol.asyncIterator>;
  readonly answers: Pick<Writable, 'write'>;
  /**
   * Adds an entry to the next batch, of which its sender is not told. Resolves when there is room
   * for another.
   */
  add(entry: Buffer): Promise<void> | undefined;
  /**
   * Stores an entry that its sender wants to be told of, which may come again with the same id.
   * Resolves when it is on disk.
   * @throws HttpError if it cannot be stored, now or ever
   */
  store(entry: Buffer, requestId: string): Promise<void>;
  /**
   * Notes how many bytes the connection holds of a message that is not complete.
   * @throws DamagedError if all connections together hold more than they may
   */
  holds(bytes: number): void;
  readonly logger: Logger;
}
