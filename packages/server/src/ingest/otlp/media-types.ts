import { httpError } from '../../errors.js';
import { isProtobuf, protobufMediaType } from '../../http/errors/protobuf-errors.js';
import { mediaTypeOf } from '../../http/body/media-type.js';

/** The format of an OTLP body. */
export type OtlpFormat = 'protobuf' | 'json';

const json = 'application/json';

export const otlpMediaTypes = [protobufMediaType, json] as const;

export const isOtlp = (contentType: string): boolean => isProtobuf(contentType) || mediaTypeOf(contentType) === json;

/** @throws HttpError `unsupported-content-type` */
export function otlpFormatOf(contentType: string): OtlpFormat {
  if (isProtobuf(contentType)) return 'protobuf';
  if (isOtlp(contentType)) return 'json';
  throw httpError('unsupported-content-type', {
    type: mediaTypeOf(contentType),
    supported: otlpMediaTypes.join(', '),
  });
}
