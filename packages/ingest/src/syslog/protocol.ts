import { type BodyFormat, threadFromBytes } from '../formats/format.js';
import { EventLines } from '../event-lines.js';
import type { ListenerAddress, ListenerFormat } from '@millrace/http/settings/listener-address';
import type { Protocol } from '../protocol.js';
import { portionsOf } from '../sockets/chunks.js';
import type { SocketProtocol } from '../sockets/socket-protocol.js';
import { defaultErrors } from '../default-errors.js';
import { FrameReader } from './frame-reader.js';
import { parseSyslog } from './parse.js';
import { writeMessage } from './write-message.js';

/** Messages of syslog, which come through sockets and not over HTTP. */

const blank = 0x20;

/** A message in a batch: its sender's address, its length, and its bytes. */
const batchDatagrams = (from: string, message: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${from} ${message.length} `), message]);

const format: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  /** `form` is the result of {@link formOf} for the listener. */
  encode(body, { form = '0 auto', limits }, encodeOptions) {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const lines = new EventLines(2 * body.length, limits.maxDecompressedBytes, encodeOptions);
    const [zone, format] = form.split(' ') as [string, ListenerFormat];
    const options = { arrival: Number(encodeOptions.arrivalTime / 1_000_000n), zone: Number(zone), format };
    for (let at = 0; at < bytes.length;) {
      const address = bytes.indexOf(blank, at);
      const length = bytes.indexOf(blank, address + 1);
      const end = length + 1 + Number(bytes.toString('latin1', address + 1, length));
      const message = parseSyslog(bytes.toString('utf8', length + 1, end), options);
      writeMessage(message, bytes.toString('latin1', at, address), lines);
      at = end;
    }
    return lines.encode();
  },
};

/** The zone of a listener in minutes, and how its messages are read. */
const formOf = ({ zone, format }: ListenerAddress): string => `${zone} ${format}`;

const sockets: SocketProtocol = {
  settings: ({ syslogListeners, maxSyslogConnections, maxSyslogMessageBytes, syslogIdleTimeout }) => ({
    addresses: syslogListeners,
    connections: maxSyslogConnections,
    idleMilliseconds: syslogIdleTimeout,
    maxBufferedBytes: maxSyslogConnections * maxSyslogMessageBytes,
  }),
  formOf,
  async read({ pieces, from, add, settings }) {
    const messages: Buffer[] = [];
    const reader = new FrameReader(settings.maxSyslogMessageBytes, (message) => void messages.push(message));
    const addAll = async (): Promise<void> => {
      for (const message of messages.splice(0)) await add(batchDatagrams(from, message));
    };
    try {
      for await (const portion of portionsOf(pieces)) {
        reader.push(portion);
        await addAll();
      }
    } finally {
      // Also if the connection breaks: the last bytes are a message.
      reader.end();
      await addAll();
    }
  },
  datagrams: ({ maxSyslogMessageBytes }) => ({
    take: (datagram) => datagram.subarray(0, maxSyslogMessageBytes),
    close: () => undefined,
  }),
  batched: batchDatagrams,
};

export const syslog: Protocol = {
  title: 'Syslog',
  tokenIn: [],
  errorForm: defaultErrors,
  format,
  endpoints: [],
  sockets,
};
