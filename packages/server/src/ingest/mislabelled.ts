import { isUtf8 } from 'node:buffer';
import type { EncodeResult } from '@millrace/events';
import { parameterOf } from '../http/body/media-type.js';
import { isProtobuf, protobufMediaType } from '../http/errors/protobuf-errors.js';

/**
 * Recognises bodies that are not what their headers say. If the headers were believed, every event
 * would fail for a misleading reason or become fields nobody sent.
 */

const text = (characters: string): readonly number[] => [...Buffer.from(characters, 'latin1')];

/** First bytes of compressed formats; no JSON, CSV or OTLP begins with them. */
const packed = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
] as const;
const zip = text('PK\u0003\u0004');
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const utf16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;

const begins = (body: Uint8Array, bytes: readonly number[]): boolean => bytes.every((byte, at) => body[at] === byte);

export const isGzip = (body: Uint8Array): boolean => begins(body, packed[0][0]);

/**
 * Says what is wrong with a body whose first bytes are those of a compressed format, and what to do
 * about it.
 * @param body without its content encoding
 * @param decoded whether it had a content encoding
 */
export function packedWithoutSaying(body: Uint8Array, decoded: boolean): string | undefined {
  if (begins(body, zip)) return 'the body is a ZIP archive; send the files that are in it';
  const name = packed.find(([bytes]) => begins(body, bytes))?.[1];
  if (name === undefined) return undefined;
  return decoded
    ? `what Content-Encoding says was decoded, and is ${name} again; compress the body once`
    : `the body is ${name}; send Content-Encoding: ${name} with it`;
}

/**
 * The opposite, for a body that could not be decoded: says that it was never encoded if it begins
 * with text. Encoded data has bytes among its first sixteen that text does not have.
 * @param encoding its content encoding
 */
export const plainWithEncoding = (body: Uint8Array, encoding: string): string | undefined =>
  looksLikeText(body)
    ? `the body is sent as ${encoding} and begins like plain text; leave out Content-Encoding if it is not compressed`
    : undefined;

const looksLikeText = (body: Uint8Array): boolean => body.subarray(0, 16).every((byte) => isPrintable(byte));

/** Of ASCII, with tabs and line ends. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

/**
 * Says what is wrong with a body sent as JSON that is UTF-16. For CSV, UTF-16 is found when its
 * header is read.
 */
export const notUtf8 = (body: Uint8Array): string | undefined =>
  utf16.some((bytes) => begins(body, bytes)) ? 'the body is UTF-16; send UTF-8' : undefined;

/**
 * Says what is wrong with a body whose `Content-Type` names another character set than UTF-8, if it
 * is indeed in that: all that is not ASCII would be replaced. Many clients name one without using
 * it, some even for protobuf.
 */
export function inOtherCharset(body: Uint8Array, contentType: string): string | undefined {
  const charset = parameterOf(contentType, 'charset') ?? '';
  if (charset === '' || /^(utf-?8|us-ascii)$/.test(charset) || isProtobuf(contentType)) return undefined;
  // In UTF-16 and UTF-32 most bytes are zero.
  const isOther = body.subarray(0, 64).includes(0) || !isUtf8(body);
  return isOther ? `the body is in ${charset}, as its Content-Type says; send UTF-8` : undefined;
}

/**
 * CSV whose `Content-Type` says that it has no header, where nothing else names the columns: they
 * would be called by the cells of the first row.
 */
export const namelessCsv = (contentType: string): string | undefined =>
  parameterOf(contentType, 'header') === 'absent'
    ? 'the body has no header, as its Content-Type says; send the names of its columns in X-Axiom-CSV-Fields'
    : undefined;

/**
 * JSON sent as CSV whose first line names the columns: the columns would be named after the text of
 * the first event.
 */
export const jsonAsCsv = (body: Uint8Array): string | undefined =>
  /^(\[\s*)?\{\s*"/.test(beginning(body))
    ? 'the body is sent as CSV and begins like JSON; send Content-Type: application/json'
    : undefined;

/** An OTLP body in the other of its two formats: an error of the one read would not say so. */
export function otherOtlpFormat(body: Uint8Array, contentType: string): string | undefined {
  const likeJson = /^[[{]/.test(beginning(body));
  if (!isProtobuf(contentType))
    return body[0] === lengthPrefixed && !likeJson && !looksLikeText(body)
      ? `the body is sent as JSON and begins like protobuf; send Content-Type: ${protobufMediaType}`
      : undefined;
  // In protobuf this would be a group, which OTLP has not.
  return body[0] === brace
    ? 'the body is sent as protobuf and begins like JSON; send Content-Type: application/json'
    : undefined;
}

const brace = 0x7b;
/** The tag of the first field of a request. */
const lengthPrefixed = 0x0a;

/**
 * If nothing of a body could be read as JSON, and it does not begin like JSON, adds to the first
 * failure how CSV is sent.
 */
export function hintAtCsv(body: Uint8Array, encoded: EncodeResult): EncodeResult {
  const [first, ...others] = encoded.failures;
  if (first === undefined || encoded.ingested > 0 || /^[[{]/.test(beginning(body))) return encoded;
  const error = `${first.error}; it is read as JSON, and CSV is sent with Content-Type: text/csv`;
  return { ...encoded, failures: [{ ...first, error }, ...others] };
}

/** Only this many bytes are searched for the first character that is not white space. */
const lookedAt = 1024;

function beginning(body: Uint8Array): string {
  const start = begins(body, byteOrderMark) ? byteOrderMark.length : 0;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1', start, start + lookedAt)
    .trimStart();
}
