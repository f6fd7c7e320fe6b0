import { createSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { TlsFiles } from '../../http/tls.js';
import type { Metrics } from '../../metrics.js';
import { type ListenerAddress, listenerAddress } from '../../settings/listener-address.js';
import type { Settings } from '../../settings/settings.js';
import type { IngestRouteDependencies } from '../routes.js';
import { SyslogBatches } from './batches.js';
import { FrameReader } from './frame-reader.js';

/** What the kernel keeps of datagrams while this process is busy. */
const datagramBufferBytes = 4 * 1024 * 1024;

interface ListenerDependencies {
  readonly settings: Settings;
  readonly ingest: IngestRouteDependencies;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Of the server; `tls` listeners need it. */
  readonly tls: TlsFiles | undefined;
}

interface Listener {
  readonly port: number;
  /** Takes no more, and stores what has come. */
  close(): Promise<void>;
}

/** @throws Error with a message for the operator if an address cannot be listened on */
export const listenForSyslog = (deps: ListenerDependencies): Promise<readonly Listener[]> =>
  Promise.all(
    deps.settings.syslogListeners.map((text) => {
      const address = listenerAddress(text)!;
      return address.transport === 'udp' ? datagrams(address, deps) : connections(address, deps);
    }),
  );

const batchesOf = ({ dataset, zone }: ListenerAddress, { ingest, logger }: ListenerDependencies) =>
  new SyslogBatches(dataset, zone, ingest, logger);

/** The address of a sender as a field shows it. */
const plainAddress = (address = 'unknown'): string => address.replace(/^::ffff:/, '');

async function datagrams(address: ListenerAddress, deps: ListenerDependencies): Promise<Listener> {
  const batches = batchesOf(address, deps);
  const { maxSyslogMessageBytes } = deps.settings;
  const socket = createSocket({
    type: address.host.includes(':') ? 'udp6' : 'udp4',
    recvBufferSize: datagramBufferBytes,
  });
  socket.on('message', (message, { address: from }) => {
    if (!batches.hasRoom) return deps.metrics.count('syslog_dropped_total', 1);
    batches.add(plainAddress(from), message.subarray(0, maxSyslogMessageBytes));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(address.port, address.host, () => resolve());
  });
  socket.on('error', (error) => deps.logger.error({ err: error }, 'a syslog listener failed'));
  return {
    port: socket.address().port,
    async close() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      await batches.close();
    },
  };
}

async function connections(address: ListenerAddress, deps: ListenerDependencies): Promise<Listener> {
  const { tls, settings, logger } = deps;
  if (address.transport === 'tls' && tls === undefined)
    throw new Error('a tls:// address in syslog-listeners needs the settings tls-cert and tls-key');
  const batches = batchesOf(address, deps);
  const open = new Set<Socket>();
  const take = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    read(socket, batches, settings);
  };
  const server: Server = address.transport === 'tls' ? createTlsServer({ ...tls }, take) : createServer(take);
  server.maxConnections = settings.maxSyslogConnections;
  server.on('tlsClientError', (error: Error) => logger.debug({ err: error }, 'a syslog sender could not be greeted'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => resolve());
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      await batches.close();
    },
  };
}

/** Reads the messages of a connection, and stops reading while there is no room for them. */
function read(socket: Socket, batches: SyslogBatches, settings: Settings): void {
  const from = plainAddress(socket.remoteAddress);
  const reader = new FrameReader(settings.maxSyslogMessageBytes, (message) => batches.add(from, message));
  socket.setTimeout(settings.syslogIdleTimeout, () => socket.destroy());
  socket.on('data', (piece: Buffer) => {
    reader.push(piece);
    if (batches.hasRoom) return;
    socket.pause();
    batches.onceThereIsRoom(() => socket.resume());
  });
  socket.on('close', () => reader.end());
  // Its end follows.
  socket.on('error', () => undefined);
}
