import { encodeJson, type EncodeOptions, type EncodeResult, type Envelope } from '@millrace/events';
import type { BodyFormat } from '../formats/format.js';
import { usualThreadFrom } from '../formats/format.js';
import { encodeTextLines } from '../text-lines.js';
import { copied, encodeEnvelopes } from './read-envelopes.js';

/**
 * A body of the event collector: envelopes, or in the form `raw` JSON as it is or lines of text.
 */
export const hecFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: usualThreadFrom,
  encode(body, { form, contentType, limits }, encodeOptions) {
    if (form !== 'raw') return encodeEvents(body, limits.maxDecompressedBytes, encodeOptions);
    if (contentType.includes('json')) return encodeJson(body, encodeOptions);
    return encodeTextLines(body, '_raw', limits.maxDecompressedBytes, encodeOptions);
  },
};

/** What the encoder reads by itself. Members of the event win over those of its envelope. */
const envelope: Envelope = { event: 'event', text: '_raw', more: 'fields', fields: copied };

/**
 * The encoder reads what most programs send, without a copy of it. What it fails for is read again,
 * envelope by envelope: there an event may be anything, and a time that is none is kept. So is what
 * comes with labels, over which the envelope wins.
 */
function encodeEvents(body: Uint8Array, most: number, options: EncodeOptions): EncodeResult {
  if (options.labels === undefined) {
    const encoded = encodeJson(body, { ...options, timestampField: 'time', envelope });
    if (encoded.failed === 0) return encoded;
  }
  return encodeEnvelopes(body, most, options);
}
