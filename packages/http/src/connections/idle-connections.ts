import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which no request has come yet. Node does not count them among the idle ones until
 * the time for headers is over.
 */
export class SilentConnections {
  readonly #sockets = new Set<Socket>();
  #open = 0;

  /**
   * @param server not listening yet
   * @param max connections at once: one more closes the oldest silent one, or itself when none is
   * silent
   */
  constructor(server: Server, isSecure: boolean, max = Infinity) {
    server.on('connection', (socket: Socket) => {
      this.#open++;
      socket.once('close', () => this.#open--);
      if (this.#open <= max) return;
      const [oldest] = this.#sockets;
      (oldest ?? socket).destroy();
    });
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
