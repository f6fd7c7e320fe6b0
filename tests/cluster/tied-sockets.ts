import type { Socket } from 'node:net';

/** Ties two sockets: each is closed with the other. Tracks them in `open` until then. */
export function tie(one: Socket, other: Socket, open: Set<Socket>): void {
  for (const [socket, its] of [
    [one, other],
    [other, one],
  ] as const) {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      its.destroy();
    });
  }
}
