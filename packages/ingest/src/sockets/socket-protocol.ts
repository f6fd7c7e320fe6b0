import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { ListenerAddress } from '@millrace/http/settings/listener-address';
import type { Settings } from '@millrace/http/settings/settings';

/** Protocol-specific part of a listener; `listeners.ts` has the common part. */
export interface SocketProtocol {
  settings(settings: Settings): SocketSettings;
  /** The form of the messages from an address. */
  formOf?(address: ListenerAddress, settings: Settings): string;
  /**
   * Reads a connection until it ends, no faster than its messages are stored.
   * @throws CorruptDataError if it cannot be parsed: the connection is closed then
   */
  read(connection: Connection): Promise<void>;
  /**
   * Reader of the datagrams of a listener; absent if the protocol has no datagrams.
   * @param drop counts datagrams that are dropped
   */
  datagrams?(settings: Settings, drop: (datagrams: number) => void): DatagramReader;
  /** Converts a message to a batch entry. */
  batched?(from: string, message: Buffer): Buffer;
}

/** Reads datagrams, which may be parts of messages. */
export interface DatagramReader {
  /** Returns the message that a datagram is or completes. */
  take(datagram: Buffer, from: string): Buffer | undefined;
  close(): void;
}

interface SocketSettings {
  readonly addresses: readonly string[];
  readonly connections: number;
  readonly idleMilliseconds: number;
  /** Maximum bytes of incomplete messages of all connections of a listener. */
  readonly maxBufferedBytes: number;
}

/** A sender that is connected. */
export interface Connection {
  readonly from: string;
  readonly settings: Settings;
  /** Ends, or fails, with the connection; a slow reader causes backpressure. */
  readonly pieces: Pick<Readable, typeof Symbol.asyncIterator>;
  readonly answers: Pick<Writable, 'write'>;
  /**
   * Adds an entry to the next batch, without acknowledgment to the sender. Resolves when there is
   * capacity for another.
   */
  add(entry: Buffer): Promise<void> | undefined;
  /**
   * Stores an entry that must be acknowledged; a retry has the same ID. Resolves when it is on
   * disk.
   * @throws HttpError if it cannot be stored, now or ever
   */
  store(entry: Buffer, requestId: string): Promise<void>;
  /**
   * Sets the number of bytes that the connection buffers of an incomplete message.
   * @throws CorruptDataError if all connections together exceed the limit
   */
  holds(bytes: number): void;
  readonly logger: Logger;
}
