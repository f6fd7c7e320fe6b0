import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import type { TlsFiles } from '../../http/connections/tls.js';
import type { Metrics } from '../../metrics.js';
import { type ListenerAddress, listenerAddress } from '../../settings/listener-address.js';
import type { Settings } from '../../settings/settings.js';
import { DamagedError } from '../bytes/damaged-error.js';
import type { Protocol } from '../protocol.js';
import { type ProtocolName, protocols } from '../protocols.js';
import type { IngestRouteDependencies } from '../routes.js';
import { Batches } from './batches.js';
import { HeldBytes } from './held-bytes.js';
import { Places } from './places.js';
import type { Connection, SocketProtocol } from './socket-protocol.js';

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

/** An address, and what is spoken there. */
interface Listening {
  readonly address: ListenerAddress;
  readonly protocol: SocketProtocol;
  readonly batches: Batches;
}

/**
 * Listens wherever the settings say, for each protocol that comes through sockets.
 * @throws Error with a message for the operator if an address cannot be listened on
 */
export function listen(deps: ListenerDependencies): Promise<readonly Listener[]> {
  const { settings, ingest, logger } = deps;
  const names = Object.keys(protocols) as readonly ProtocolName[];
  return Promise.all(
    names.flatMap((name) => {
      const { sockets }: Protocol = protocols[name];
      return (sockets?.settings(settings).addresses ?? []).map((text) => {
        const address = listenerAddress(text)!;
        const form = sockets!.formOf?.(address) ?? '';
        const batches = new Batches({ protocol: name, dataset: address.dataset, form }, ingest, logger);
        const listening = { address, protocol: sockets!, batches };
        return address.transport === 'udp' ? datagrams(listening, deps) : connections(listening, deps);
      });
    }),
  );
}

/** The address of a sender as a field shows it. */
const plainAddress = (address = 'unknown'): string => address.replace(/^::ffff:/, '');

async function datagrams({ address, protocol, batches }: Listening, deps: ListenerDependencies): Promise<Listener> {
  const socket = createSocket({
    type: address.host.includes(':') ? 'udp6' : 'udp4',
    recvBufferSize: datagramBufferBytes,
  });
  socket.on('message', (message, sender) => {
    const from = plainAddress(sender.address);
    if (!address.allows(from) || !batches.hasRoom) return deps.metrics.count('syslog_dropped_total', 1);
    void batches.add(protocol.datagram!(message, from, deps.settings));
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
      await batches.close();
    },
  };
}

async function connections(listening: Listening, deps: ListenerDependencies): Promise<Listener> {
  const { address, protocol, batches } = listening;
  const { tls, settings, logger } = deps;
  if (address.transport === 'tls' && tls === undefined)
    throw new Error('a tls:// address of a listener needs the settings tls-cert and tls-key');
  const { connections, idleMilliseconds, heldBytes } = protocol.settings(settings);
  const held = new HeldBytes<Socket>(heldBytes);
  const refuse = (socket: Socket): void => {
    deps.metrics.count('socket_connections_refused_total', 1);
    socket.destroy();
  };
  const places = new Places<Socket>(connections, refuse);
  /** The connections that are open, and when what they sent is read. */
  const open = new Map<Socket, Promise<void>>();
  /** Before anything is read or a certificate is shown: whoever gets no place costs nothing. */
  const admit = (socket: Socket): void => {
    // What breaks is told to whoever reads.
    socket.on('error', () => undefined);
    const from = plainAddress(socket.remoteAddress);
    if (!address.allows(from) || !places.take(socket, from)) return refuse(socket);
    socket.on('close', () => places.left(socket));
  };
  const take = (socket: Socket): void => {
    if (socket.destroyed) return;
    socket.on('error', () => undefined);
    const from = plainAddress(socket.remoteAddress);
    socket.setTimeout(idleMilliseconds, () => socket.destroy());
    const reading = read(socket, from, listening, held, deps).finally(() => {
      held.forget(socket);
      open.delete(socket);
      socket.destroy();
    });
    open.set(socket, reading);
  };
  const server: Server =
    address.transport === 'tls' ? createTlsServer({ ...tls, ...askedOfClients(address) }, take) : createServer(take);
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
      // Also those that are not greeted yet.
      for (const socket of [...open.keys(), ...places.all]) socket.destroy();
      await Promise.all([closed, batches.close(), ...readings]);
      // What the connections had read by then.
      await batches.close();
    },
  };
}

/**
 * What senders have to show: a certificate that is signed by one of those in a file, if the address
 * names one.
 * @throws Error with a message for the operator
 */
function askedOfClients({ clientCa }: ListenerAddress): TlsOptions {
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

/** Reads a connection to its end. What is wrong with it is for the log: it has no word for it. */
async function read(
  socket: Socket,
  from: string,
  { address, protocol, batches }: Listening,
  held: HeldBytes<Socket>,
  { settings, logger }: ListenerDependencies,
): Promise<void> {
  const connection: Connection = {
    from,
    settings,
    pieces: socket,
    answers: socket,
    add: (entry) => batches.add(entry),
    store: (entry, requestId) => batches.store(entry, requestId),
    holds: (bytes) => held.note(socket, bytes),
    logger,
  };
  try {
    await protocol.read(connection);
  } catch (error) {
    const { dataset } = address;
    if (error instanceof DamagedError)
      logger.warn({ from, dataset, problem: error.message }, 'a connection was closed, because it cannot be read');
    else if (!isEnd(error)) logger.warn({ from, dataset, err: error }, 'a connection was closed');
  }
}

/** Whether a connection has simply come to its end. */
const isEnd = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'].includes(String(error.code));
