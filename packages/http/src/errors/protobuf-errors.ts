import type { ErrorFormat } from './error-format.js';
import { bytesField, numberField } from './protobuf-writer.js';
import { mediaTypeOf } from '../body/media-type.js';

/** Errors as `google.rpc.Status`, which OTLP requires for protobuf requests. */

/** Media type of protobuf responses. */
export const protobufMediaType = 'application/x-protobuf';

/** The media types under which clients send protobuf. */
const protobufMediaTypes: ReadonlySet<string> = new Set([
  protobufMediaType,
  'application/protobuf',
  'application/vnd.google.protobuf',
]);

export const isProtobuf = (contentType = ''): boolean => protobufMediaTypes.has(mediaTypeOf(contentType));

/**
 * HTTP status → gRPC code. Programs go by the former. Any other status means an error of the
 * client.
 */
const codes: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  408: 4,
  429: 8,
  500: 13,
  503: 14,
};
const invalidArgument = 3;

/** The gRPC code of an error with this HTTP status. */
export const grpcCodeOf = (status: number): number => codes[status] ?? invalidArgument;

/** Protobuf requests get protobuf errors, as OTLP requires. */
export const otlpErrors: ErrorFormat = {
  doc: 'A request in protobuf is answered in protobuf, errors as `google.rpc.Status`.',
  mediaType: protobufMediaType,
  say: ({ status, message }, headers) =>
    isProtobuf(headers['content-type'])
      ? { status, mediaType: protobufMediaType, content: statusMessage(status, message) }
      : undefined,
};

/** The bytes of a `google.rpc.Status`. */
const statusMessage = (status: number, message: string): Uint8Array =>
  Buffer.concat([numberField(1, grpcCodeOf(status)), bytesField(2, message)]);
