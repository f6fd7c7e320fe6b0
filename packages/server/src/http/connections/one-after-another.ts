import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Those that wait on a connection, while one is being answered. */
interface Line {
  readonly waiting: { readonly answer: ServerResponse; readonly begin: () => void }[];
}

/**
 * Requests that come on one connection before the one before them is answered. HTTP wants their
 * answers one after the other, so there is no use in working on all at once, as Node would: fifty
 * on each of many connections keep everybody waiting, and when their connection closes, all has
 * been for nothing.
 */
export class OneAfterAnother {
  readonly #lines = new WeakMap<Socket, Line>();

  /**
   * Calls `begin` when the requests before it on its connection are answered; never, when the
   * connection closes before.
   */
  add(socket: Socket, answer: ServerResponse, begin: () => void): void {
    const line = this.#lines.get(socket);
    if (line !== undefined) return void line.waiting.push({ answer, begin });
    const only: Line = { waiting: [] };
    this.#lines.set(socket, only);
    this.#next(socket, only, answer);
    begin();
  }

  #next(socket: Socket, line: Line, answer: ServerResponse): void {
    answer.once('close', () => {
      const next = line.waiting.shift();
      if (next === undefined || socket.destroyed) return void this.#lines.delete(socket);
      this.#next(socket, line, next.answer);
      next.begin();
    });
  }
}
