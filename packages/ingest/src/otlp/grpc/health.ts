import { numberField } from '@millrace/http/errors/protobuf-writer';
import { lengthPrefixed, WireReader } from '../../bytes/wire-reader.js';

/** The gRPC health service. */

/** Maximum bytes of a health request, which has only the name of a service. */
export const maxHealthBytes = 4096;

const servingStatus = 1;
const notServing = 2;

/** The `HealthCheckResponse`. */
export const healthResponse = (isServing: boolean): Uint8Array =>
  numberField(1, isServing ? servingStatus : notServing);

/**
 * The service that a `HealthCheckRequest` names.
 * @throws CorruptDataError
 */
export function serviceIn(request: Buffer): string {
  const reader = new WireReader(request);
  const end = request.length;
  let service = '';
  while (reader.at < end) {
    const tag = reader.tag(end, 'health request');
    if (tag !== 8 + lengthPrefixed) reader.skip(tag, end, 'health request');
    else {
      const after = reader.length(end, 'health request');
      service = request.toString('utf8', reader.at, after);
      reader.at = after;
    }
  }
  return service;
}
