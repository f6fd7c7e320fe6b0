import { httpError } from '@millrace/api/errors';
import { isProtobuf, protobufMediaType } from '@millrace/http/errors/protobuf-errors';
import { mediaTypeOf } from '@millrace/http/body/media-type';

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
