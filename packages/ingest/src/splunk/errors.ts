import type { ErrorCode } from '@millrace/api/errors';
import type { ErrorFormat } from '@millrace/http/errors/error-format';

/** HEC responses: `{"text": …, "code": …}`; clients read the code. */

export const hecText = (text: string, code: number) => JSON.stringify({ text, code });

interface HecError {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}

const busy: HecError = { status: 503, code: 9, text: 'Server is busy' };
const badIndex: HecError = { status: 400, code: 7, text: 'Incorrect index' };
const internalError = { code: 8, text: 'Internal server error' };
const badFormat: HecError = { status: 400, code: 6, text: 'Invalid data format' };

/** Errors with a specific HEC code. */
const errorsByCode: Partial<Readonly<Record<ErrorCode, HecError>>> = {
  unauthenticated: { status: 403, code: 4, text: 'Invalid token' },
  forbidden: { status: 403, code: 4, text: 'Invalid token' },
  'ingest-dataset-not-found': badIndex,
  'ingest-dataset-not-created': badIndex,
  'ingest-dataset-not-named': badIndex,
  'invalid-events': badFormat,
  'invalid-request': badFormat,
  'ingest-behind': busy,
  'rate-limited': busy,
  'disk-full': busy,
  'disk-full-change': busy,
  'storage-unavailable': busy,
  'metadata-unavailable': busy,
  'shutting-down': { status: 503, code: 23, text: 'Server is shutting down' },
};

/** Maps the first event's error to the HEC error of a request without stored events. */
export const hecFailure = (error = ''): Pick<HecError, 'text' | 'code'> =>
  error.includes(noEvent)
    ? { text: 'Event field is required', code: 12 }
    : error.includes(blankEvent)
      ? { text: 'Event field cannot be blank', code: 13 }
      : badFormat;

export const noEvent = "the envelope has no member 'event'";
export const blankEvent = "the member 'event' is empty";

/** Without a token, and with one in a form that is not known. */
const noToken: HecError = { status: 401, code: 2, text: 'Token is required' };
const otherScheme: HecError = { status: 401, code: 3, text: 'Invalid authorization' };

/** Rejects a token in the URL, because URLs are logged and shared. */
const inQuery: HecError = { status: 400, code: 16, text: 'Query string authorization is not enabled' };

export const hecErrors: ErrorFormat = {
  doc: 'Errors are `{"text", "code"}` with the codes of Splunk; `message` names the problem.',
  mediaType: 'application/json',
  say({ code, status, message }, { authorization = '' }, url = '') {
    const found = code === 'unauthenticated' ? ofToken(authorization, url) : errorsByCode[code];
    const { text, ...said } = found ?? (status < 500 ? { ...badFormat, status } : { ...internalError, status });
    return {
      status: said.status,
      mediaType: 'application/json',
      content: JSON.stringify({ text, code: said.code, message }),
    };
  },
};

function ofToken(authorization: string, url: string): HecError | undefined {
  if (authorization.trim() === '') return /[?&]token=/.test(url) ? inQuery : noToken;
  return /^(splunk|bearer|basic) /i.test(authorization) ? errorsByCode.unauthenticated : otherScheme;
}
