import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * @param error `ERR_STREAM_PREMATURE_CLOSE` if the connection was closed, otherwise the error of
 * the response
 */
type Cut = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Reports each response that was aborted after it had started. Fastify only logs these; its hooks
 * run for finished responses.
 */
export class AbortedResponses extends LogController {
  readonly #cut: Cut;

  constructor(cut: Cut) {
    // Requests are logged in one line each when they are over; see `requestRecorder`.
    super({ disableRequestLogging: true, requestIdLogLabel: 'traceId' });
    this.#cut = cut;
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    this.#cut(error, request, reply);
  }
}

/** Whether the connection was closed, by whichever side. */
export const isClosed = (error: Error): boolean => 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
