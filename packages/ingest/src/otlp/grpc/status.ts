import type { ErrorCode } from '@millrace/api/errors';
import { grpcCodeOf } from '@millrace/http/errors/protobuf-errors';
import { bytesField, numberField } from '@millrace/http/errors/protobuf-writer';
import { lengthPrefixed, WireReader } from '../../bytes/wire-reader.js';

/** Result of a gRPC call. */
export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
  /** When to retry; clients retry `resourceExhausted` only with it. */
  readonly retrySeconds?: number;
}

export const grpcCodes = {
  ok: 0,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/**
 * Error code → gRPC code, where the HTTP status does not decide: a client retries by this code
 * only.
 */
const codesOfErrors: Partial<Record<ErrorCode, number>> = {
  unauthenticated: grpcCodes.unauthenticated,
  'body-too-large': grpcCodes.resourceExhausted,
  'events-too-large': grpcCodes.resourceExhausted,
  'unsupported-encoding': grpcCodes.unimplemented,
  'route-not-served': grpcCodes.unimplemented,
  'route-not-found': grpcCodes.unimplemented,
};

/** An error response of a route. */
interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** A `google.rpc.Status`. */
  readonly content: Buffer;
}

export function statusOfResponse({ status, headers, content }: ErrorResponse): GrpcStatus {
  const retryAfter = Number(headers['retry-after']);
  return {
    code: codesOfErrors[headers['x-millrace-error'] as ErrorCode] ?? grpcCodeOf(status),
    message: messageIn(content),
    ...(retryAfter > 0 && { retrySeconds: retryAfter }),
  };
}

/** The message of a `google.rpc.Status`, which this server has written. */
function messageIn(content: Buffer): string {
  const reader = new WireReader(content);
  const end = content.length;
  let message = '';
  while (reader.at < end) {
    const tag = reader.tag(end, 'status');
    if (tag !== 2 * 8 + lengthPrefixed) reader.skip(tag, end, 'status');
    else {
      const after = reader.length(end, 'status');
      message = content.toString('utf8', reader.at, after);
      reader.at = after;
    }
  }
  return message;
}

/** Trailers of a response; the details are a `google.rpc.Status` with a `RetryInfo`. */
export function trailersOf({ code, message, retrySeconds }: GrpcStatus): Record<string, string> {
  return {
    'grpc-status': String(code),
    ...(message !== '' && { 'grpc-message': percentEncoded(message) }),
    ...(retrySeconds !== undefined && { 'grpc-status-details-bin': withRetryInfo(code, message, retrySeconds) }),
  };
}

function withRetryInfo(code: number, message: string, seconds: number): string {
  const delay = bytesField(1, [numberField(1, Math.ceil(seconds))]);
  const detail = [bytesField(1, 'type.googleapis.com/google.rpc.RetryInfo'), bytesField(2, [delay])];
  return Buffer.concat([numberField(1, code), bytesField(2, message), bytesField(3, detail)]).toString('base64');
}

/** Printable ASCII except the percent sign as it is, other bytes of UTF-8 in hexadecimal. */
const percentEncoded = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
