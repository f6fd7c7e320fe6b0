import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections on which no request has come yet. Node does not count them among the idle ones until the time for headers is over. */
export class SilentConnections {
  readonly #sockets = new Set<Socket>();

  /** @param server not listening yet */
  constructor(server: Server, isSecure: boolean) {
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage) => this.#sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
