import { EventLines } from '../event-lines.js';
import { type BodyFormat, threadFromBytes } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import type { SocketProtocol } from '../sockets/socket-protocol.js';
import { defaultErrors } from '../default-errors.js';
import { readConnection } from './read-connection.js';
import { readMessages } from './parse-messages.js';

/**
 * The forward protocol of Fluentd, which Fluent Bit and libraries for loggers speak as well:
 * MessagePack through a socket.
 */

const format: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  // The entries of a message may be compressed.
  grows: true,
  encode(body, { limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const lines = new EventLines(2 * body.length, maxEventBytes, encodeOptions);
    readMessages(body, maxEventBytes, lines);
    return lines.encode();
  },
};

const sockets: SocketProtocol = {
  settings: ({ fluentdListeners, maxFluentdConnections, maxFluentdMessageBytes, fluentdIdleTimeout }) => ({
    addresses: fluentdListeners,
    connections: maxFluentdConnections,
    idleMilliseconds: fluentdIdleTimeout,
    maxBufferedBytes: 2 * maxFluentdMessageBytes,
  }),
  read: readConnection,
};

export const fluentd: Protocol = {
  title: 'Fluentd forward',
  tokenIn: [],
  errorForm: defaultErrors,
  format,
  endpoints: [],
  sockets,
};
