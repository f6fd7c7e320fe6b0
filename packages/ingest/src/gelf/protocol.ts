import { defaultErrors } from '../default-errors.js';
import { EventLines } from '../event-lines.js';
import type { BodyFormat } from '../formats/format.js';
import type { Protocol } from '../protocol.js';
import { portionsOf } from '../sockets/chunks.js';
import type { SocketProtocol } from '../sockets/socket-protocol.js';
import { Chunks } from './chunks.js';
import { readMessage } from './parse-message.js';
import { messagesIn } from './split-stream.js';

/** Graylog's GELF, as Docker and logging libraries send it: JSON in datagrams or streams. */

const blank = 0x20;

/** A message in a batch: its sender's address, its length, and its bytes. */
const batchDatagrams = (from: string, message: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${from} ${message.length} `), message]);

const format: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  // Messages may be compressed.
  threadFrom: 16 * 1024,
  grows: true,
  /** `form` is the maximum bytes of a message. */
  encode(body, { form = '0', limits, maxEventBytes = limits.maxDecompressedBytes }, encodeOptions) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const lines = new EventLines(1.5 * body.length, maxEventBytes, encodeOptions);
    for (let at = 0; at < bytes.length;) {
      const address = bytes.indexOf(blank, at);
      const length = bytes.indexOf(blank, address + 1);
      const end = length + 1 + Number(bytes.toString('latin1', address + 1, length));
      readMessage(bytes.subarray(length + 1, end), bytes.toString('latin1', at, address), Number(form), lines);
      at = end;
    }
    return lines.encode();
  },
};

const sockets: SocketProtocol = {
  settings: ({ gelfListeners, maxGelfConnections, maxGelfMessageBytes, gelfIdleTimeout, maxGelfPendingBytes }) => ({
    addresses: gelfListeners,
    connections: maxGelfConnections,
    idleMilliseconds: gelfIdleTimeout,
    maxBufferedBytes: Math.max(maxGelfPendingBytes, 2 * maxGelfMessageBytes),
  }),
  formOf: (_, { maxGelfMessageBytes }) => String(maxGelfMessageBytes),
  async read({ pieces, from, add, holds, settings }) {
    for await (const message of messagesIn(portionsOf(pieces), settings.maxGelfMessageBytes, holds))
      await add(batchDatagrams(from, message));
  },
  datagrams: ({ gelfChunkTimeout, maxGelfMessageBytes, maxGelfPendingBytes }, drop) =>
    new Chunks(
      { timeout: gelfChunkTimeout, messageBytes: maxGelfMessageBytes, maxBufferedBytes: maxGelfPendingBytes },
      drop,
    ),
  batched: batchDatagrams,
};

export const gelf: Protocol = {
  title: 'GELF',
  tokenIn: [],
  errorForm: defaultErrors,
  format,
  endpoints: [],
  sockets,
};
