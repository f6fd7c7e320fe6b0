import { httpError } from '../../errors.js';
import { isProtobuf, protobufMediaType } from '../../http/protobuf-errors.js';
import { mediaTypeOf } from '../../http/media-type.js';

/** The format of an OTLP body. */
export type OtlpFormat = 'protobuf' | 'json';

const json = 'application/json';

/** @throws HttpError `unsupported-content-type` */
export function otlpFormatOf(contentType: string): OtlpFormat {
  if (isProtobuf(contentType)) return 'protobuf';
  const type = mediaTypeOf(contentType);
  if (type === json) return 'json';
  throw httpError('unsupported-content-type', { type, supported: `${protobufMediaType}, ${json}` });
}
