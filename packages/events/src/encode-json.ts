import { withCore } from './core.js';
import type { EncodeOptions, EncodeResult } from './encode.js';
import { stopAtGarbage, EventWriter } from './event-writer.js';
import { finish } from './blocks/finish.js';
import { withinFields } from './select-fields.js';
import { JsonBody } from './json/body.js';
import { checkBodySize } from './limits.js';

/**
 * Encodes a JSON body: an array of objects, one object, NDJSON, or a sequence of such values. The
 * bytes show which of these it is. An event that cannot be stored fails alone, with its reason in
 * the result.
 *
 * Throws LabelsError if the labels are not a JSON object, RangeError if the body exceeds
 * MAX_BODY_BYTES, and OutOfMemoryError.
 */
export function encodeJson(sent: Uint8Array, given: EncodeOptions): EncodeResult {
  checkBodySize(sent);
  return withinFields(given, (options) =>
    withCore((lease) => {
      const writer = new EventWriter(lease, sent, options);
      if (options.labels !== undefined) writer.setLabels(options.labels);
      const body = new JsonBody(writer);
      stopAtGarbage(() => body.read());
      return finish(writer, options);
    }),
  );
}
