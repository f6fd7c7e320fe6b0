import { Batch } from './batch.js';
import { type EncodeOptions, type EncodeResult, LabelsError } from './encode.js';
import { EventTime } from './event-time.js';
import { Failures } from './failures.js';
import { finish } from './finish.js';
import { JsonBody } from './json/body.js';
import { EventReader } from './json/event.js';
import { Source, skipSpace } from './json/source.js';
import { MAX_BODY_BYTES } from './limits.js';

/**
 * Encodes a body of JSON: an array of objects, one object, NDJSON, or such values one behind the other. Which of these
 * it is shows in the bytes. An event that cannot be stored fails alone, with its reason in the result.
 *
 * Throws {@link LabelsError} if the labels are no JSON object, RangeError if the body exceeds {@link MAX_BODY_BYTES}.
 */
export function encodeJson(body: Uint8Array, options: EncodeOptions): EncodeResult {
  if (body.length > MAX_BODY_BYTES) {
    throw new RangeError(`a body of ${body.length} bytes is over the limit of ${MAX_BODY_BYTES}`);
  }
  const batch = new Batch(options);
  const time = new EventTime(options);
  const reader = new EventReader(batch, time, options);
  const failures = new Failures(options.limits.maxFailures);
  const labels = readLabels(reader, options);
  new JsonBody(new Source(body), labels, { reader, batch, time, failures, options }).read();
  return finish(batch, failures, options);
}

/** The labels, checked, beginning with their `{`. */
export function readLabels(reader: EventReader, { labels }: EncodeOptions): Source | undefined {
  if (labels === undefined) return undefined;
  const start = skipSpace(labels, 0);
  const source = new Source(labels.subarray(start));
  let next = reader.skip(source, 0);
  if (next >= 0 && labels[start] !== 0x7b) next = source.fail(0, 'an object');
  if (next >= 0) {
    next = skipSpace(source.bytes, next);
    if (next < source.end) next = source.fail(next, 'the end');
  }
  if (next >= 0) return source;
  const at = source.failedAt;
  throw new LabelsError(`event labels, byte ${start + at}: expected ${source.expected}, found ${source.found(at)}`);
}
