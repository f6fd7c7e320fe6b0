import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpError, httpError } from '../../errors.js';
import type { Metrics } from '../../metrics.js';
import type { Settings } from '../../settings/settings.js';
import { newTraceId } from '../recording/trace-id.js';
import { discardBody } from '../body/discard-body.js';
import { connectionError, type ErrorAnswer, errorAnswer, type ErrorTranslator, toHttpError } from './error-answers.js';
import type { ErrorForm, SaidError } from './error-form.js';
import { pathOf } from '../recording/request-record.js';
import { otlpErrors } from './protobuf-errors.js';
import type { Notes } from '../serve.js';

interface RefusalOptions {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly translate: ErrorTranslator | undefined;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly notesOf: (request: FastifyRequest) => Notes;
  /** How errors look at a path without a route, if another interface is spoken there. */
  readonly formAt: (path: string) => ErrorForm | undefined;
}

const usualForm = ({ status, body }: ErrorAnswer): SaidError => ({
  status,
  mediaType: 'application/json; charset=utf-8',
  content: JSON.stringify(body),
});

/** Answers requests that fail, whatever was thrown and however much of the request has arrived. */
export class Refusals {
  readonly #options: RefusalOptions;
  /** Connections whose request has been answered but has not arrived completely. */
  readonly #refusedAlready = new WeakSet<Socket>();
  /**
   * Connections that were closed with an error because their request was malformed or did not
   * arrive in time.
   */
  readonly #tooLate = new WeakSet<Socket>();

  constructor(options: RefusalOptions) {
    this.#options = options;
  }

  /** Answers a request with what was thrown; the rest of the request is read and discarded. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { settings, headers, notesOf, formAt } = this.#options;
    const { found, result } = this.note(error, request);
    const notes = notesOf(request);
    // An exporter shows no other form of an error, not even that of a path without a route, such as
    // the one for metrics.
    const { errorForm } = notes.route ?? { errorForm: formAt(pathOf(request)) ?? otlpErrors };
    const said =
      errorForm?.say({ ...result, message: found.message }, request.headers, request.url) ?? usualForm(result);
    const content = Buffer.from(said.content);
    const rest = discardBody(request.raw, settings.maxDiscardedBytes);
    return reply
      .code(said.status)
      .headers({ ...headers, 'x-axiom-trace-id': request.id, ...result.headers, ...said.headers })
      .header('content-length', content.length)
      .type(said.mediaType)
      .send(rest === undefined ? content : Readable.from(this.#lingering(content, rest, request.raw.socket)));
  }

  /**
   * Notes why a request failed: for its line in the log, in the metrics, and in full in the log if
   * it is the server's fault.
   */
  note(error: unknown, request: FastifyRequest): { readonly found: HttpError; readonly result: ErrorAnswer } {
    const { settings, metrics, translate, notesOf } = this.#options;
    const notes = notesOf(request);
    const found = toHttpError(error, { settings, traceId: request.id, translate });
    const result = errorAnswer(found, settings);
    // Shutting down is no error: the operator asked for it.
    if (result.status >= 500 && result.code !== 'shutting-down')
      request.log.error({ err: found.cause ?? found }, found.message);
    metrics.count('http_refusals_total', 1, { code: result.code });
    notes.failure = { code: result.code, message: found.message };
    return { found, result };
  }

  /** Answers bytes that are not a request, in the same form as every other error. */
  answerConnection(error: Error, socket: Socket): void {
    const gone = socket.destroyed || !socket.writable || ('code' in error && error.code === 'ECONNRESET');
    if (gone || this.#refusedAlready.has(socket)) {
      socket.destroy();
      return;
    }
    const { settings } = this.#options;
    const { code, status, body } = errorAnswer(connectionError(error, settings), settings);
    const text = JSON.stringify(body);
    this.#tooLate.add(socket);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nX-Axiom-Trace-Id: ${newTraceId()}\r\nX-Millrace-Error: ${code}\r\nConnection: close\r\n\r\n${text}`,
    );
  }

  /**
   * Call it when the head of a request has arrived, and again when its body has. The rest of a
   * request that was refused for taking too long may still arrive; it must not be taken, because
   * the sender is likely to send the request again.
   * @throws HttpError `request-timeout`
   */
  requireInTime(socket: Socket): void {
    if (this.#tooLate.has(socket)) throw httpError('request-timeout', {});
  }

  /**
   * Sends the whole answer at once but ends it only when the rest of the request has come: until
   * then the connection stays open.
   */
  async *#lingering(content: Buffer, rest: Promise<void>, socket: Socket): AsyncGenerator<Buffer> {
    this.#refusedAlready.add(socket);
    yield content;
    await rest;
    this.#refusedAlready.delete(socket);
  }
}
