import { createSecureServer, createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { TlsFiles } from '@millrace/http/connections/tls';
import type { SendInternally } from '@millrace/http/internal-requests';
import type { Metrics } from '@millrace/http/metrics';
import type { GrpcAddress } from '@millrace/http/settings/grpc-address';
import type { Settings } from '@millrace/http/settings/settings';
import { ConnectionSlots } from '../../sockets/connection-slots.js';
import { runCall } from './call.js';

/** OTLP over gRPC: requests of HTTP/2 with one message, passed on to the routes of OTLP/HTTP. */

/** Flow-control windows; the defaults of 64 KiB limit fast senders over long distances. */
const streamWindowBytes = 256 * 1024;
const connectionWindowBytes = 4 * 1024 * 1024;
/** Detects connections of hosts that disappeared. */
const keepAliveMilliseconds = 60_000;

interface ListenerDependencies {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly tls: TlsFiles | undefined;
  readonly send: SendInternally;
}

export interface GrpcListener {
  readonly address: AddressInfo;
  /**
   * Accepts no more requests and waits for running ones; disconnects clients whose requests take
   * longer.
   */
  close(milliseconds: number): Promise<void>;
}

/**
 * Listens for gRPC.
 * @throws Error of the socket, such as EADDRINUSE
 */
export async function listenGrpc(
  { host, port }: GrpcAddress,
  { settings, metrics, logger, tls, send }: ListenerDependencies,
): Promise<GrpcListener> {
  const {
    maxOtlpGrpcConnections,
    maxOtlpGrpcStreams,
    otlpGrpcIdleTimeout,
    maxHeaderBytes,
    requestTimeout,
    maxBodyBytes,
  } = settings;
  let closing = false;
  const deps = { send, requestTimeout, maxBodyBytes, logger, isServing: () => !closing };
  const options = {
    settings: {
      maxConcurrentStreams: maxOtlpGrpcStreams,
      initialWindowSize: streamWindowBytes,
      maxHeaderListSize: maxHeaderBytes,
    },
  };
  const server: Http2Server = tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
  const sessions = new Set<ServerHttp2Session>();
  const refuse = (socket: Socket): void => {
    metrics.count('socket_connections_refused_total', 1);
    socket.destroy();
  };
  const slots = new ConnectionSlots<Socket>(maxOtlpGrpcConnections, refuse);
  // Before the TLS handshake.
  server.prependListener('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    if (!slots.take(socket, socket.remoteAddress ?? '')) return refuse(socket);
    socket.setKeepAlive(true, keepAliveMilliseconds);
    socket.on('close', () => slots.leave(socket));
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.setLocalWindowSize(connectionWindowBytes);
    session.setTimeout(otlpGrpcIdleTimeout, () => session.close());
  });
  server.on('sessionError', (error) => logger.debug({ err: error }, 'a gRPC connection failed'));
  server.on('tlsClientError', (error: Error) => logger.debug({ err: error }, 'a TLS handshake failed'));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    runCall(stream, headers, deps).catch((error: unknown) => {
      logger.error({ err: error }, 'a gRPC response could not be sent');
      stream.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.on('error', (error) => logger.error({ err: error }, 'the gRPC listener failed'));
  return {
    address: server.address() as AddressInfo,
    async close(milliseconds) {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const late = setTimeout(() => {
        for (const socket of slots.all) socket.destroy();
      }, milliseconds);
      // Connections without a session would stay open.
      const unused = setInterval(() => {
        if (sessions.size === 0) for (const socket of slots.all) socket.destroy();
      }, 100);
      await closed;
      clearTimeout(late);
      clearInterval(unused);
    },
  };
}
