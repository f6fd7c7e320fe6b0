import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Listeners by socket. Each socket has one `close` listener, however many requests are queued on
 * it.
 */
const closeListeners = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls the listener when the connection of a request closes before its response is complete. Node
 * reports that only for the response that is being sent, not for queued ones.
 */
export function onDisconnect({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, listener: () => void): void {
  let over = false;
  const cut = (): void => {
    if (over) return;
    over = true;
    listeners.delete(cut);
    if (!raw.writableFinished) listener();
  };
  const listeners = listenersOf(socket);
  if (raw.closed || socket.destroyed) return cut();
  listeners.add(cut);
  raw.once('close', cut);
}

function listenersOf(socket: Socket): Set<() => void> {
  const known = closeListeners.get(socket);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  closeListeners.set(socket, listeners);
  socket.once('close', () => [...listeners].forEach((listener) => listener()));
  return listeners;
}
