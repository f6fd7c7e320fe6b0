import { encodeJson } from '@millrace/events';
import type { BodyFormat } from '../formats/format.js';
import { usualThreadFrom } from '../formats/format.js';
import { encodeTextLines } from '../text-lines.js';
import { encodeEnvelopes } from './read-envelopes.js';

/** A body of the event collector: envelopes, or in the form `raw` JSON as it is or lines of text. */
export const hecFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: usualThreadFrom,
  encode(body, { form, contentType, limits }, encodeOptions) {
    if (form !== 'raw') return encodeEnvelopes(body, limits.maxDecompressedBytes, encodeOptions);
    if (contentType.includes('json')) return encodeJson(body, encodeOptions);
    return encodeTextLines(body, '_raw', limits.maxDecompressedBytes, encodeOptions);
  },
};
