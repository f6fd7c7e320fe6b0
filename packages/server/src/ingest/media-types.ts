import { httpError } from '../errors.js';
import { mediaTypeOf } from '../routes/media-type.js';

/** Media types of ingest bodies, by the names clients send. */

export type BodyFormat = 'json' | 'csv';

/** The forms of JSON are told apart by their bytes, so one entry does for all of them. */
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
  // What clients send of themselves when nobody told them a type: fetch, curl and programs that send a file.
  '': 'json',
  'text/plain': 'json',
  'application/x-www-form-urlencoded': 'json',
  'application/octet-stream': 'json',
};

const supported = 'application/json, application/x-ndjson, text/csv';

/**
 * How a body is written, by its `Content-Type`; JSON if there is none.
 * @throws HttpError `unsupported-content-type`
 */
export function formatOf(contentType: string): BodyFormat {
  const type = mediaTypeOf(contentType);
  if (Object.hasOwn(formats, type)) return formats[type]!;
  // `application/cloudevents+json` and its like are JSON whatever they are about.
  if (/^[^/]+\/[^/]+\+json$/.test(type)) return 'json';
  throw httpError('unsupported-content-type', { type, supported });
}
