import type { Socket } from 'node:net';

/** Two sockets of which each ends with the other, among those that are open. */
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
