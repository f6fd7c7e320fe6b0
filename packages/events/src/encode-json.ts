import { withCore } from './core.js';
import type { EncodeOptions, EncodeResult } from './encode.js';
import { EventWriter } from './event-writer.js';
import { finish } from './finish.js';
import { JsonBody } from './json/body.js';
import { checkBodySize } from './limits.js';

/**
 * Encodes a body of JSON: an array of objects, one object, NDJSON, or such values one behind the other. Which of these
 * it is shows in the bytes. An event that cannot be stored fails alone, with its reason in the result.
 *
 * Throws LabelsError if the labels are no JSON object, RangeError if the body exceeds MAX_BODY_BYTES, OutOfMemoryError.
 */
export function encodeJson(body: Uint8Array, options: EncodeOptions): EncodeResult {
  checkBodySize(body);
  return withCore((lease) => {
    const writer = new EventWriter(lease, body, options);
    if (options.labels !== undefined) writer.setLabels(options.labels);
    new JsonBody(writer).read();
    return finish(writer, options);
  });
}
