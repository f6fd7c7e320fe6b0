import { bytesField, numberField } from '../protobuf-writer.js';
import { mediaTypeOf } from './media-type.js';

/** Errors as `google.rpc.Status`, which who sends OTLP in protobuf is to be answered with. */

/** The name answers have. */
export const protobufMediaType = 'application/x-protobuf';

/** Names clients give to protobuf. */
const protobufMediaTypes: ReadonlySet<string> = new Set([
  protobufMediaType,
  'application/protobuf',
  'application/vnd.google.protobuf',
]);

export const isProtobuf = (contentType = ''): boolean => protobufMediaTypes.has(mediaTypeOf(contentType));

/** Status of HTTP → code of gRPC. Programs go by the former; whatever is missing is the client's doing. */
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

/** The bytes of a `google.rpc.Status`. */
export const statusMessage = (status: number, message: string): Uint8Array =>
  Buffer.concat([numberField(1, codes[status] ?? invalidArgument), bytesField(2, message)]);
