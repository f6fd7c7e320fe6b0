import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * @param error `ERR_STREAM_PREMATURE_CLOSE` if the connection was closed, otherwise why the answer
 * failed
 */
type Cut = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Reports each answer that ended after it had begun and before it was complete. Fastify only logs
 * these; its hooks run for finished answers.
 */
export class CutAnswers extends LogController {
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
