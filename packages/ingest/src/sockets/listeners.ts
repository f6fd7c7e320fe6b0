import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import type { TlsFiles } from '@millrace/http/connections/tls';
import type { Metrics } from '@millrace/http/metrics';
import { type ListenerAddress, listenerAddress } from '@millrace/http/settings/listener-address';
import type { Settings } from '@millrace/http/settings/settings';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import type { Protocol } from '../protocol.js';
import { type ProtocolName, protocols } from '../protocols.js';
import type { IngestRouteDependencies } from '../routes.js';
import { Batches } from './batches.js';
import { BufferedBytes } from './buffered-bytes.js';
import { ConnectionSlots } from './connection-slots.js';
import type { Connection, SocketProtocol } from './socket-protocol.js';

/** Datagrams that the kernel buffers while this process is busy. */
const datagramBufferBytes = 4 * 1024 * 1024;

interface ListenerDependencies {
  readonly settings: Settings;
  readonly ingest: IngestRouteDependencies;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The server's certificate; required for `tls` listeners. */
  readonly tls: TlsFiles | undefined;
}

interface Listener {
  readonly port: number;
  /** Accepts no more messages, and stores received ones. */
  close(): Promise<void>;
}

/** A listening address and its protocol. */
interface ListenerSetup {
  readonly address: ListenerAddress;
  readonly protocol: SocketProtocol;
  readonly batches: Batches;
}

/**
 * Opens the listeners of the settings, for each protocol with raw sockets.
 * @throws Error with a message for the operator if an address cannot be used
 */
export function listen(deps: ListenerDependencies): Promise<readonly Listener[]> {
  const { settings, ingest, logger } = deps;
  const names = Object.keys(protocols) as readonly ProtocolName[];
  return Promise.all(
    names.flatMap((name) => {
      const { sockets }: Protocol = protocols[name];
      return (sockets?.settings(settings).addresses ?? []).map((text) => {
        const address = listenerAddress(text)!;
        const form = sockets!.formOf?.(address, settings) ?? '';
        const batches = new Batches({ protocol: name, dataset: address.dataset, form }, ingest, logger);
        const listening = { address, protocol: sockets!, batches };
        return address.transport === 'udp' ? datagrams(listening, deps) : connections(listening, deps);
      });
    }),
  );
}

/** The address of a sender as a field shows it. */
const plainAddress = (address = 'unknown'): string => address.replace(/^::ffff:/, '');

async function datagrams({ address, protocol, batches }: ListenerSetup, deps: ListenerDependencies): Promise<Listener> {
  const socket = createSocket({
    type: address.host.includes(':') ? 'udp6' : 'udp4',
    recvBufferSize: datagramBufferBytes,
  });
  const drop = (datagrams: number): void => deps.metrics.count('datagrams_dropped_total', datagrams);
  const reader = protocol.datagrams!(deps.settings, drop);
  socket.on('message', (datagram, sender) => {
    const from = plainAddress(sender.address);
    if (!address.allows(from) || !batches.hasRoom) return drop(1);
    const message = reader.take(datagram, from);
    if (message !== undefined) void batches.add(protocol.batched!(from, message));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(address.port, address.host, () => resolve());
  });
  socket.on('error', (error) => deps.logger.error({ err: error }, 'a listener for datagrams failed'));
  return {
    port: socket.address().port,
    async close() {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      reader.close();
      await batches.close();
    },
  };
}

async function connections(listening: ListenerSetup, deps: ListenerDependencies): Promise<Listener> {
  const { address, protocol, batches } = listening;
  const { tls, settings, logger } = deps;
  if (address.transport === 'tls' && tls === undefined)
    throw new Error('a tls:// address of a listener needs the settings tls-cert and tls-key');
  const { connections, idleMilliseconds, maxBufferedBytes } = protocol.settings(settings);
  const buffered = new BufferedBytes<Socket>(maxBufferedBytes);
  const refuse = (socket: Socket): void => {
    deps.metrics.count('socket_connections_refused_total', 1);
    socket.destroy();
  };
  const places = new ConnectionSlots<Socket>(connections, refuse);
  /** Open connections, and when their received data is processed. */
  const open = new Map<Socket, Promise<void>>();
  /** Runs before any read and before the TLS handshake: rejected connections cost nothing. */
  const admit = (socket: Socket): void => {
    // The reader of the socket reports errors.
    socket.on('error', () => undefined);
    const from = plainAddress(socket.remoteAddress);
    if (!address.allows(from) || !places.take(socket, from)) return refuse(socket);
    socket.on('close', () => places.leave(socket));
  };
  const take = (socket: Socket): void => {
    if (socket.destroyed) return;
    socket.on('error', () => undefined);
    const from = plainAddress(socket.remoteAddress);
    socket.setTimeout(idleMilliseconds, () => socket.destroy());
    const reading = read(socket, from, listening, buffered, deps).finally(() => {
      buffered.forget(socket);
      open.delete(socket);
      socket.destroy();
    });
    open.set(socket, reading);
  };
  const server: Server =
    address.transport === 'tls'
      ? createTlsServer({ ...tls, ...clientCertificateOptions(address) }, take)
      : createServer(take);
  server.prependListener('connection', admit);
  server.on('tlsClientError', (error: Error) => logger.debug({ err: error }, 'a sender could not be greeted'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => resolve());
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const readings = [...open.values()];
      // Includes connections whose TLS handshake is not complete.
      for (const socket of [...open.keys(), ...places.all]) socket.destroy();
      await Promise.all([closed, batches.close(), ...readings]);
      // Messages that the connections had read by then.
      await batches.close();
    },
  };
}

/**
 * TLS options for client authentication: a certificate signed by one in a file, if the address
 * names one.
 * @throws Error with a message for the operator
 */
function clientCertificateOptions({ clientCa }: ListenerAddress): TlsOptions {
  if (clientCa === undefined) return {};
  let ca: string;
  try {
    ca = readFileSync(clientCa, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '';
    throw new Error(`client-ca of a listener: ${clientCa} cannot be read${why}`, { cause: error });
  }
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`client-ca of a listener: ${clientCa} does not hold a certificate as PEM text`);
  return { ca, requestCert: true, rejectUnauthorized: true };
}

/** Reads a connection to its end. Errors are logged: the protocols have no way to report them. */
async function read(
  socket: Socket,
  from: string,
  { address, protocol, batches }: ListenerSetup,
  buffered: BufferedBytes<Socket>,
  { settings, logger }: ListenerDependencies,
): Promise<void> {
  const connection: Connection = {
    from,
    settings,
    pieces: socket,
    answers: socket,
    add: (entry) => batches.add(entry),
    store: (entry, requestId) => batches.store(entry, requestId),
    holds: (bytes) => buffered.note(socket, bytes),
    logger,
  };
  try {
    await protocol.read(connection);
  } catch (error) {
    const { dataset } = address;
    if (error instanceof CorruptDataError)
      logger.warn({ from, dataset, problem: error.message }, 'a connection was closed, because it cannot be read');
    else if (!isEnd(error)) logger.warn({ from, dataset, err: error }, 'a connection was closed');
  }
}

/** Whether a connection has simply come to its end. */
const isEnd = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'].includes(String(error.code));
