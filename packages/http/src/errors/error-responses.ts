import { type ErrorCode, HttpError, httpError, statusOf } from '@millrace/api/errors';
import type { TokenStatus } from '../access/token-locations.js';
import { redactTokens } from '../recording/redact.js';
import type { Settings } from '../settings/settings.js';

/**
 * Converts any thrown value to the error response. Only the message of an `HttpError` reaches the
 * client.
 */

/** Converts errors of other parts of the server to `HttpError`; `undefined` for unknown ones. */
export type ErrorTranslator = (error: unknown) => HttpError | undefined;

export interface ErrorResponse {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param badTokenStatus of the route, if it has its own status of a failed authentication */
export function errorResponse(error: HttpError, settings: Settings, badTokenStatus?: TokenStatus): ErrorResponse {
  const status = statusOf(error.code, badTokenStatus ?? (settings.authFailureStatus === '401' ? 401 : 403));
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return {
    code: error.code,
    status,
    headers: { ...challenge, 'x-millrace-error': error.code, ...error.headers },
    body: { code: status, message: redactTokens(error.message), ...error.body },
  };
}

/** Errors of Fastify and Node that the client caused, by code. */
const clientErrors: Readonly<Record<string, (settings: Settings) => HttpError>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    httpError('bad-http', { problem: 'the body is not as long as Content-Length says' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    httpError('unsupported-content-type', { type: 'malformed', supported: 'types such as application/json' }),
  FST_ERR_BAD_URL: () => httpError('invalid-url', { problem: 'its percent-encoding is not UTF-8' }),
  FST_ERR_MAX_PARAM_LENGTH: (settings) => httpError('url-too-long', { limit: settings.maxUrlBytes }),
  ECONNRESET: () => httpError('bad-http', { problem: 'the connection was closed before the body was complete' }),
  ECONNABORTED: () => httpError('bad-http', { problem: 'the connection was closed before the body was complete' }),
  HPE_HEADER_OVERFLOW: (settings) => httpError('headers-too-large', { limit: settings.maxHeaderBytes }),
  ERR_HTTP_REQUEST_TIMEOUT: () => httpError('request-timeout', {}),
};

interface Translation {
  readonly settings: Settings;
  readonly traceId: string;
  readonly translate: ErrorTranslator | undefined;
}

export function toHttpError(error: unknown, { settings, traceId, translate }: Translation): HttpError {
  if (error instanceof HttpError) return error;
  const known = clientErrors[codeOf(error)]?.(settings) ?? translate?.(error);
  return known ?? httpError('internal', { traceId }, { cause: error });
}

/** Maps a parser or socket error, before there is a request, to an HTTP error. */
export function connectionError(error: unknown, settings: Settings): HttpError {
  return clientErrors[codeOf(error)]?.(settings) ?? httpError('bad-http', { problem: 'it cannot be parsed' });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
