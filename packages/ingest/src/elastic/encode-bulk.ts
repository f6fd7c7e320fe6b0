import { encodeJson, type EncodeOptions, type EncodeResult, MAX_BODY_BYTES } from '@millrace/events';
import { httpError } from '@millrace/api/errors';
import { type BodyFormat, type FormatResult, threadFromBytes } from '../formats/format.js';
import type { Part } from '../encode-body.js';
import { refuseIf } from '../assert-valid.js';
import { type BulkItems, tooManyFailures } from './bulk-items.js';
import { checkDocuments, mapperParsingException, readBulk } from './parse-bulk.js';
import { ingestBounds } from '../ingest-limits.js';

/** Beats, Logstash and the rest have the time there. */
const timestampField = '@timestamp';

/** Bulk requests, and in the form `document` a single document. */
export const bulkFormat: BodyFormat = {
  mediaTypes: [],
  detects: () => true,
  threadFrom: threadFromBytes,
  encode(body, { form, part, limits }, given) {
    const encodeOptions = { ...given, timestampField: given.timestampField ?? timestampField };
    if (form === 'document') return encodeJson(body, encodeOptions);
    return encodeBulk(body, part, limits.maxDecompressedBytes, encodeOptions);
  },
};

function encodeBulk(sent: Uint8Array, part: Part | undefined, max: number, options: EncodeOptions): FormatResult {
  const body = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  const { items, others } = readBulk(body, part);
  refuseIf(body.length === 0 ? 'the request has no actions' : undefined);
  const every = { ...options, limits: { ...options.limits, maxFailuresReported: ingestBounds.answeredFailures.max } };
  let encoded = encodeJson(body, every);
  if (encoded.failed > 0 || encoded.ingested !== items.documents) {
    // Which of them is none is found out line by line.
    checkDocuments(body, items);
    encoded = encodeJson(body, every);
  }
  noteFailures(encoded, items);
  const limit = Math.min(max, MAX_BODY_BYTES);
  return {
    ...encoded,
    failed: items.failed,
    failures: encoded.failures.slice(0, options.limits.maxFailuresReported),
    items: items.lines(limit, () => httpError('events-too-large', { limit, what: 'items of the answer' })),
    ...(others.length > 0 && { others }),
  };
}

function noteFailures({ ingested, failed, failures }: EncodeResult, items: BulkItems): void {
  // The encoder stops after too many failures.
  if (failed > failures.length || ingested + failed < items.documents) throw tooManyFailures();
  for (const { index, error } of failures)
    items.failDocument(index, { status: 400, type: mapperParsingException, reason: error });
}
