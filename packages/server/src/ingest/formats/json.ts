import { encodeJson } from '@millrace/events';
import { mediaTypeOf } from '../../http/media-type.js';
import { hintAtCsv, notUtf8 } from '../mislabelled.js';
import { refuseIf } from '../refuse-if.js';
import { type BodyFormat, usualThreadFrom } from './format.js';

/** Media types under which clients send JSON. Arrays, objects and NDJSON are told apart by their bytes, so all of them mean the same. */
const mediaTypes: ReadonlySet<string> = new Set([
  'application/json',
  'text/json',
  'application/x-ndjson',
  'application/nd-json',
  'application/ndjson',
  'application/x-json-stream',
  'application/jsonl',
  'application/x-jsonlines',
  'application/jsonlines',
  // Sent by default when the caller sets no type: by fetch, by curl, and by programs that send a file.
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
]);

export const jsonFormat: BodyFormat = {
  mediaTypes: ['application/json', 'application/x-ndjson'],
  detects(contentType) {
    const type = mediaTypeOf(contentType);
    // Types such as `application/cloudevents+json` are JSON whatever they describe.
    return mediaTypes.has(type) || /^[^/]+\/[^/]+\+json$/.test(type);
  },
  threadFrom: usualThreadFrom,
  encode(body, _, encodeOptions) {
    refuseIf(notUtf8(body));
    return hintAtCsv(body, encodeJson(body, encodeOptions));
  },
};
