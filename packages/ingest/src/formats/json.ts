import { encodeJson } from '@millrace/events';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { isEncoded } from '../compression/content-encoding.js';
import type { BodyOptions } from '../encode-body.js';
import { hintAtCsv, notUtf8 } from '../content-sniffing.js';
import { refuseIf } from '../assert-valid.js';
import { type BodyFormat, threadFromBytes } from './format.js';

/**
 * Media types under which clients send JSON. Arrays, objects and NDJSON are distinguished by their
 * content, so all types are equivalent.
 */
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
  // Sent by default when the caller sets no type: by fetch, by curl, and by programs that send a
  // file.
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  // Sent by programs that upload files of any type.
  'binary/octet-stream',
  'text/x-ndjson',
  'application/gzip',
  'application/x-gzip',
]);

export const jsonFormat: BodyFormat = {
  mediaTypes: ['application/json', 'application/x-ndjson'],
  detects(contentType) {
    const type = mediaTypeOf(contentType);
    // Types such as `application/cloudevents+json` are JSON whatever they describe.
    return mediaTypes.has(type) || /^[^/]+\/[^/]+\+json$/.test(type);
  },
  threadFrom: threadFromBytes,
  encode(body, options, encodeOptions) {
    refuseIf(notUtf8(body));
    if (isLogpushTest(body, options)) return encodeJson(new Uint8Array(), encodeOptions);
    return hintAtCsv(body, encodeJson(body, encodeOptions));
  },
};

const logpushTest = Buffer.from('{"content":"tests"}');

/**
 * The file that Cloudflare Logpush sends, compressed, to see whether a destination takes it; it is
 * no event.
 */
const isLogpushTest = (body: Uint8Array, { contentEncoding }: BodyOptions): boolean =>
  body.length <= logpushTest.length + 2 &&
  isEncoded(contentEncoding) &&
  Buffer.from(body).toString('latin1').trimEnd() === logpushTest.toString('latin1');
