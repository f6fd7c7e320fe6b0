import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections without a request so far. Node does not treat them as idle before the timeout for
 * headers has passed.
 */
export class SilentConnections {
  readonly #sockets = new Set<Socket>();
  #open = 0;

  /**
   * @param server not listening yet
   * @param max open connections: an additional one closes the oldest connection without a request,
   * or itself if there is none
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
