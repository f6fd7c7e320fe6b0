import { encodeJson, type Envelope } from '@millrace/events';
import type { Part } from '../encode-body.js';
import { type BodyFormat, type FormatOptions, type FormatResult, threadFromBytes } from '../formats/format.js';
import { PartFilter } from '../part-filter.js';
import { encodeTextLines } from '../text-lines.js';
import { copiedProperties, encodeEnvelopes } from './parse-envelopes.js';

/** A HEC body: envelopes, or in the form `raw` plain JSON or lines of text. */
export const hecFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  encode(body, { form, contentType, limits, part }, encodeOptions) {
    if (form !== 'raw') return encodeEvents(body, limits.maxDecompressedBytes, part, encodeOptions);
    if (contentType.includes('json')) return encodeJson(body, encodeOptions);
    return encodeTextLines(body, '_raw', limits.maxDecompressedBytes, encodeOptions);
  },
};

/**
 * The form that the encoder reads directly. Properties of the event win over those of its envelope.
 */
const envelope: Envelope = { event: 'event', text: '_raw', more: 'fields', fields: copiedProperties };

/**
 * Encodes events in the usual form without copying the body. If that fails, parses it again
 * envelope by envelope: there an event may be any value, and an invalid time is stored as a field.
 * Bodies with labels, over which envelopes win, and those of several indexes are always parsed that
 * way.
 */
function encodeEvents(body: Uint8Array, max: number, part: Part | undefined, options: FormatOptions): FormatResult {
  if (options.labels === undefined && (part === undefined || namesOnly(part.dataset, body))) {
    const encoded = encodeJson(body, { ...options, timestampField: 'time', envelope });
    if (encoded.failed === 0) return encoded;
  }
  const filter = new PartFilter(part);
  const encoded = encodeEnvelopes(body, max, filter, options);
  return filter.others.size === 0 ? encoded : { ...encoded, others: [...filter.others] };
}

const indexName = Buffer.from('"index"');

/** Whether all indexes in a body are this dataset. Searches bytes: a false no only costs time. */
function namesOnly(dataset: string, { buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const body = Buffer.from(buffer, byteOffset, byteLength);
  const value = Buffer.from(JSON.stringify(dataset));
  for (let at = body.indexOf(indexName); at >= 0; at = body.indexOf(indexName, at)) {
    at += indexName.length;
    while (isSeparator(body[at])) at++;
    if (body.compare(value, 0, value.length, at, at + value.length) !== 0) return false;
  }
  return true;
}

/** A colon or white space. */
const isSeparator = (byte: number | undefined): boolean =>
  byte === 0x3a || byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
