import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Queued requests of a connection that is serving another one. */
interface Line {
  readonly waiting: { readonly answer: ServerResponse; readonly begin: () => void }[];
}

/**
 * Runs pipelined requests of a connection one at a time. HTTP requires responses in order, so
 * running all at once, as Node does, gains nothing: fifty per connection would delay all other
 * clients, and be wasted when the connection closes.
 */
export class PipelinedRequests {
  readonly #lines = new WeakMap<Socket, Line>();

  /**
   * Calls `begin` when the earlier requests of its connection are answered; never if the connection
   * closes before.
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
