import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpError, httpError } from '@millrace/api/errors';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings/settings.js';
import { newTraceId } from '../recording/trace-id.js';
import { drainBody } from '../body/drain-body.js';
import {
  connectionError,
  type ErrorResponse,
  errorResponse,
  type ErrorTranslator,
  toHttpError,
} from './error-responses.js';
import type { ErrorFormat, ErrorBody } from './error-format.js';
import { sentPath } from '../recording/request-record.js';
import { otlpErrors } from './protobuf-errors.js';
import type { Notes } from '../serve.js';

interface RefusalOptions {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly translate: ErrorTranslator | undefined;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly notesOf: (request: FastifyRequest) => Notes;
  /** Error format at a path without a route, if a protocol owns the path. */
  readonly formAt: (path: string) => ErrorFormat | undefined;
}

const usualForm = ({ status, body }: ErrorResponse): ErrorBody => ({
  status,
  mediaType: 'application/json; charset=utf-8',
  content: JSON.stringify(body),
});

/** Sends error responses, for any thrown value and any received part of the request. */
export class RejectionCounter {
  readonly #options: RefusalOptions;
  /** Connections with an error response whose request has not arrived completely. */
  readonly #refusedAlready = new WeakSet<Socket>();
  /**
   * Connections that were closed with an error because their request was malformed or did not
   * arrive in time.
   */
  readonly #tooLate = new WeakSet<Socket>();

  constructor(options: RefusalOptions) {
    this.#options = options;
  }

  /** Responds with an error; reads and discards the rest of the request. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { settings, headers, notesOf, formAt } = this.#options;
    const { found, result } = this.note(error, request);
    const notes = notesOf(request);
    // An exporter shows no other form of an error, not even that of a path without a route.
    const { errorForm } = notes.route ?? { errorForm: formAt(sentPath(request)) ?? otlpErrors };
    const message =
      errorForm?.say({ ...result, message: found.message }, request.headers, request.url) ?? usualForm(result);
    const content = Buffer.from(message.content);
    const rest = drainBody(request.raw, settings.maxDiscardedBytes);
    return reply
      .code(message.status)
      .headers({ ...headers, 'x-axiom-trace-id': request.id, ...result.headers, ...message.headers })
      .header('content-length', content.length)
      .type(message.mediaType)
      .send(rest === undefined ? content : Readable.from(this.#lingerOn(content, rest, request.raw.socket)));
  }

  /**
   * Records why a request failed: for its log line and in the metrics, with a stack trace if it is
   * the server's fault.
   */
  note(error: unknown, request: FastifyRequest): { readonly found: HttpError; readonly result: ErrorResponse } {
    const { settings, metrics, translate, notesOf } = this.#options;
    const notes = notesOf(request);
    const found = toHttpError(error, { settings, traceId: request.id, translate });
    const result = errorResponse(found, settings, notes.route?.badTokenStatus);
    // Shutting down is not an error: the operator initiated it.
    if (result.status >= 500 && result.code !== 'shutting-down')
      request.log.error({ err: found.cause ?? found }, found.message);
    metrics.count('http_refusals_total', 1, { code: result.code });
    notes.failure = { code: result.code, message: found.message };
    return { found, result };
  }

  /** Responds to bytes that are not a request, in the standard error format. */
  answerConnection(error: Error, socket: Socket): void {
    const isClosed = socket.destroyed || !socket.writable || ('code' in error && error.code === 'ECONNRESET');
    if (isClosed || this.#refusedAlready.has(socket)) {
      socket.destroy();
      return;
    }
    const { settings } = this.#options;
    const { code, status, body } = errorResponse(connectionError(error, settings), settings);
    const text = JSON.stringify(body);
    this.#tooLate.add(socket);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nX-Axiom-Trace-Id: ${newTraceId()}\r\nX-Millrace-Error: ${code}\r\nConnection: close\r\n\r\n${text}`,
    );
  }

  /**
   * Call it when the head of a request has arrived, and again when its body has. The rest of a
   * request that timed out may still arrive; it must be rejected, because the client has probably
   * sent the request again.
   * @throws HttpError `request-timeout`
   */
  requireInTime(socket: Socket): void {
    if (this.#tooLate.has(socket)) throw httpError('request-timeout', {});
  }

  /**
   * Sends the whole response immediately but ends it only when the rest of the request has arrived:
   * until then the connection stays open.
   */
  async *#lingerOn(content: Buffer, rest: Promise<void>, socket: Socket): AsyncGenerator<Buffer> {
    this.#refusedAlready.add(socket);
    yield content;
    await rest;
    this.#refusedAlready.delete(socket);
  }
}
