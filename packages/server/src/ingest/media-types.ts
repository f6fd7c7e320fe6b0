import { httpError } from '../errors.js';
import { mediaTypeOf } from '../http/media-type.js';

/** Media types of ingest bodies, by the names clients send. */

type BodyFormat = 'json' | 'csv';

/** Arrays, objects and NDJSON are told apart by their bytes, so all types of JSON mean the same. */
const formats: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'text/json': 'json',
  'application/x-ndjson': 'json',
  'application/nd-json': 'json',
  'application/ndjson': 'json',
  'application/x-json-stream': 'json',
  'application/jsonl': 'json',
  'application/x-jsonlines': 'json',
  'application/jsonlines': 'json',
  'text/csv': 'csv',
  // Sent by default when the caller sets no type: by fetch, by curl, and by programs that send a file.
  '': 'json',
  'text/plain': 'json',
  'application/x-www-form-urlencoded': 'json',
  'application/octet-stream': 'json',
};

const supported = 'application/json, application/x-ndjson, text/csv';

/**
 * The format of a body by its `Content-Type`; JSON if there is none.
 * @throws HttpError `unsupported-content-type`
 */
export function formatOf(contentType: string): BodyFormat {
  const type = mediaTypeOf(contentType);
  if (Object.hasOwn(formats, type)) return formats[type]!;
  // Types such as `application/cloudevents+json` are JSON whatever they describe.
  if (/^[^/]+\/[^/]+\+json$/.test(type)) return 'json';
  throw httpError('unsupported-content-type', { type, supported });
}
