import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** @param error `ERR_STREAM_PREMATURE_CLOSE` if the connection was closed, otherwise what the answer failed with */
type Cut = (error: Error, request: FastifyRequest, reply: FastifyReply) => void;

/** Tells of each answer that ended after it had begun and before it was complete. Fastify only logs these: its hooks are for answers that are finished. */
export class CutAnswers extends LogController {
  readonly #cut: Cut;

  constructor(cut: Cut) {
    // One line a request is written when it is over; see `requestRecorder`.
    super({ disableRequestLogging: true, requestIdLogLabel: 'traceId' });
    this.#cut = cut;
  }

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    this.#cut(error, request, reply);
  }
}

/** Whether the connection was closed, by whichever side. */
export const isClosed = (error: Error): boolean => 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
