import { type HttpError, httpError } from '@millrace/api/errors';
import type { ErrorFormat } from '@millrace/http/errors/error-format';
import { BoundExceeded } from '@millrace/mpl';
import { EvaluationProblem, ParseProblem } from '@millrace/promql';
import { LogqlProblem } from '@millrace/logql';

/** Errors as clients of Loki read them: plain text. */

const mediaType = 'text/plain; charset=utf-8';

export const lokiError = (problem: string, cause?: unknown): HttpError =>
  httpError('invalid-query', { problem }, cause === undefined ? {} : { cause });

export const lokiErrors: ErrorFormat = {
  doc: 'Errors are plain text, as those of Loki.',
  mediaType,
  say: ({ status, message }) => ({ status, mediaType, content: `${message}\n` }),
};

/** Turns problems of a query into errors of the request. */
export async function withLokiErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof LogqlProblem ||
      error instanceof ParseProblem ||
      error instanceof EvaluationProblem ||
      error instanceof BoundExceeded
    )
      throw lokiError(error.message, error);
    throw error;
  }
}
