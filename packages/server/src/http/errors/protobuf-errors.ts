import type { ErrorForm } from './error-form.js';
import { bytesField, numberField } from './protobuf-writer.js';
import { mediaTypeOf } from '../body/media-type.js';

/** Errors as `google.rpc.Status`: the form in which OTLP wants errors of requests in protobuf. */

/** The media type of answers. */
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

/** What OTLP asks for: errors of requests in protobuf in protobuf. */
export const otlpErrors: ErrorForm = {
  doc: 'A request in protobuf is answered in protobuf, errors as `google.rpc.Status`.',
  mediaType: protobufMediaType,
  say: ({ status, message }, headers) =>
    isProtobuf(headers['content-type'])
      ? { status, mediaType: protobufMediaType, content: statusMessage(status, message) }
      : undefined,
};

/** The bytes of a `google.rpc.Status`. */
const statusMessage = (status: number, message: string): Uint8Array =>
  Buffer.concat([numberField(1, codes[status] ?? invalidArgument), bytesField(2, message)]);
