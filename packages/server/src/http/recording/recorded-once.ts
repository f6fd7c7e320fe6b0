import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Records each request once: when its answer has been sent, or when it is known that it will not be
 * sent whole.
 */
export class Records {
  readonly #record: (request: FastifyRequest, reply: FastifyReply, cut: boolean) => void;
  readonly #recorded = new WeakSet<FastifyRequest>();
  /**
   * Of each connection, the requests whose answers were made and may still have to be sent: an
   * answer waits for those of earlier requests.
   */
  readonly #made = new WeakMap<Socket, Map<FastifyRequest, FastifyReply>>();

  constructor(record: (request: FastifyRequest, reply: FastifyReply, cut: boolean) => void) {
    this.#record = record;
  }

  /**
   * The answer of a request was made. If its client has left, or leaves before it was sent, nobody
   * else tells of that.
   */
  made(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    if (socket.destroyed) this.cut(request, reply);
    else this.#madeFor(socket).set(request, reply);
  }

  /** The answer of a request was sent. */
  sent(request: FastifyRequest, reply: FastifyReply): void {
    this.#once(request, reply, false);
  }

  /** The answer of a request will not be sent whole. */
  cut(request: FastifyRequest, reply: FastifyReply): void {
    this.#once(request, reply, true);
  }

  #once(request: FastifyRequest, reply: FastifyReply, cut: boolean): void {
    this.#made.get(request.raw.socket)?.delete(request);
    if (this.#recorded.has(request)) return;
    this.#recorded.add(request);
    this.#record(request, reply, cut);
  }

  #madeFor(socket: Socket): Map<FastifyRequest, FastifyReply> {
    const known = this.#made.get(socket);
    if (known !== undefined) return known;
    const made = new Map<FastifyRequest, FastifyReply>();
    this.#made.set(socket, made);
    socket.once('close', () => {
      for (const [request, reply] of made) this.cut(request, reply);
    });
    return made;
  }
}
