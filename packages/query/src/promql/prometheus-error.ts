import { Type } from 'typebox';
import { type ErrorCode, type HttpError, httpError } from '@millrace/api/errors';
import { withTitle } from '@millrace/api/schemas/parts';
import type { ErrorFormat } from '@millrace/http/errors/error-format';

/** Errors as clients of Prometheus read them. */

const statuses = { bad_data: 400, execution: 422 } as const;
type ErrorType = keyof typeof statuses;

/** An error of Prometheus's own, with its text. */
export const prometheusError = (errorType: ErrorType, problem: string, cause?: unknown): HttpError =>
  httpError('invalid-query', { problem }, { body: { errorType }, ...(cause !== undefined && { cause }) });

/** An error of a parameter, as Prometheus words it. */
export const invalidParameter = (name: string, problem: string): HttpError =>
  prometheusError('bad_data', `invalid parameter ${JSON.stringify(name)}: ${problem}`);

interface PrometheusErrorKind {
  readonly type: string;
  readonly status: number;
}

const byCode: Partial<Readonly<Record<ErrorCode, PrometheusErrorKind>>> = {
  'query-too-long': { type: 'timeout', status: 503 },
  'query-waited-too-long': { type: 'timeout', status: 503 },
  'query-cancelled': { type: 'canceled', status: 499 },
  'query-too-large': { type: 'execution', status: 422 },
  'query-out-of-memory': { type: 'execution', status: 422 },
};

const byStatus: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  422: 'execution',
  429: 'too_many_requests',
  500: 'internal',
  503: 'unavailable',
};

function shownOf(code: ErrorCode, status: number, errorType: unknown): PrometheusErrorKind {
  if (errorType === 'execution' || errorType === 'bad_data') return { type: errorType, status: statuses[errorType] };
  return byCode[code] ?? { type: byStatus[status] ?? 'bad_data', status };
}

export const prometheusErrors: ErrorFormat = {
  doc: 'Errors are `{"status": "error", "errorType", "error"}`, with the types of Prometheus.',
  mediaType: 'application/json',
  schema: withTitle(
    'PrometheusError',
    Type.Object({ status: Type.Literal('error'), errorType: Type.String(), error: Type.String() }),
  ),
  say({ code, status, message, body }) {
    const shown = shownOf(code, status, body?.['errorType']);
    return {
      status: shown.status,
      mediaType: 'application/json',
      content: JSON.stringify({ status: 'error', errorType: shown.type, error: message }),
    };
  },
};
