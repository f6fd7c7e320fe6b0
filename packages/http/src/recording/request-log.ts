import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Records each request once: when its response has been sent, or has failed. */
export class RequestLog {
  readonly #record: (request: FastifyRequest, reply: FastifyReply, cut: boolean) => void;
  readonly #recordedRequests = new WeakSet<FastifyRequest>();
  /**
   * By connection, the requests whose responses are queued: a response waits for those of earlier
   * requests.
   */
  readonly #pendingReplies = new WeakMap<Socket, Map<FastifyRequest, FastifyReply>>();

  constructor(record: (request: FastifyRequest, reply: FastifyReply, cut: boolean) => void) {
    this.#record = record;
  }

  /**
   * Call when a response is created. Records it as cut if the client has disconnected, or
   * disconnects before it is sent: no other hook reports that.
   */
  recordMade(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    if (socket.destroyed) this.cut(request, reply);
    else this.#madeFor(socket).set(request, reply);
  }

  /** Call when the response of a request was sent. */
  recordSent(request: FastifyRequest, reply: FastifyReply): void {
    this.#runOnce(request, reply, false);
  }

  /** Call when the response of a request will not be sent completely. */
  cut(request: FastifyRequest, reply: FastifyReply): void {
    this.#runOnce(request, reply, true);
  }

  #runOnce(request: FastifyRequest, reply: FastifyReply, cut: boolean): void {
    this.#pendingReplies.get(request.raw.socket)?.delete(request);
    if (this.#recordedRequests.has(request)) return;
    this.#recordedRequests.add(request);
    this.#record(request, reply, cut);
  }

  #madeFor(socket: Socket): Map<FastifyRequest, FastifyReply> {
    const known = this.#pendingReplies.get(socket);
    if (known !== undefined) return known;
    const made = new Map<FastifyRequest, FastifyReply>();
    this.#pendingReplies.set(socket, made);
    socket.once('close', () => {
      for (const [request, reply] of made) this.cut(request, reply);
    });
    return made;
  }
}
