import { isUtf8 } from 'node:buffer';
import type { EncodeResult } from '@millrace/events';
import { parameterOf } from '@millrace/http/body/media-type';
import { isProtobuf, protobufMediaType } from '@millrace/http/errors/protobuf-errors';

/**
 * Detects bodies that contradict their headers. Otherwise every event would fail with a misleading
 * error, or become fields that were never sent.
 */

const text = (characters: string): readonly number[] => [...Buffer.from(characters, 'latin1')];

/** Magic bytes of compressed formats; no JSON, CSV or OTLP starts with them. */
const magicBytes = [
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

export const isGzip = (body: Uint8Array): boolean => begins(body, magicBytes[0][0]);

/**
 * Returns an error with a hint if the first bytes of a body are those of a compressed format.
 * @param body without its content encoding
 * @param decoded whether it had a content encoding
 */
export function detectUndeclaredCompression(body: Uint8Array, decoded: boolean): string | undefined {
  if (begins(body, zip)) return 'ZIP archives are not supported; send the extracted files';
  const name = magicBytes.find(([bytes]) => begins(body, bytes))?.[1];
  if (name === undefined) return undefined;
  return decoded
    ? `what Content-Encoding says was decoded, and is ${name} again; compress the body once`
    : `the body is ${name}; send Content-Encoding: ${name} with it`;
}

/**
 * Returns an error for a body that could not be decoded and starts with text: it was never encoded.
 * Encoded data has non-text bytes among its first sixteen.
 * @param encoding its content encoding
 */
export const detectFalseContentEncoding = (body: Uint8Array, encoding: string): string | undefined =>
  looksLikeText(body)
    ? `Content-Encoding is ${encoding} but the body looks uncompressed; remove the header`
    : undefined;

const looksLikeText = (body: Uint8Array): boolean => body.subarray(0, 16).every((byte) => isPrintable(byte));

/** Whether a byte is printable ASCII, a tab or a line end. */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;

/** Returns an error if a JSON body is UTF-16. For CSV, reading the header finds that. */
export const notUtf8 = (body: Uint8Array): string | undefined =>
  utf16.some((bytes) => begins(body, bytes)) ? 'the body is UTF-16; send UTF-8' : undefined;

/**
 * Returns an error if a body is in a character set other than UTF-8 and its `Content-Type` names
 * one: decoding would replace all non-ASCII characters. Many clients name a character set without
 * using it, even for protobuf.
 */
export function detectCharset(body: Uint8Array, contentType: string): string | undefined {
  const charset = parameterOf(contentType, 'charset') ?? '';
  if (charset === '' || /^(utf-?8|us-ascii)$/.test(charset) || isProtobuf(contentType)) return undefined;
  // In UTF-16 and UTF-32 most bytes are zero.
  const isOther = body.subarray(0, 64).includes(0) || !isUtf8(body);
  return isOther ? `the body is in ${charset}, as its Content-Type says; send UTF-8` : undefined;
}

/**
 * Returns an error for CSV whose `Content-Type` declares that it has no header, if no header names
 * the columns: the cells of the first row would become names.
 */
export const detectHeaderlessCsv = (contentType: string): string | undefined =>
  parameterOf(contentType, 'header') === 'absent'
    ? 'the body has no header, as its Content-Type says; send the names of its columns in X-Axiom-CSV-Fields'
    : undefined;

/**
 * Returns an error for JSON sent as CSV with a header line: columns would be named after the text
 * of the first event.
 */
export const jsonAsCsv = (body: Uint8Array): string | undefined =>
  /^(\[\s*)?\{\s*"/.test(firstBytes(body))
    ? 'the body is sent as CSV and begins like JSON; send Content-Type: application/json'
    : undefined;

/** An OTLP body in the other of its two formats: an error of the one read would not say so. */
export function otherOtlpFormat(body: Uint8Array, contentType: string): string | undefined {
  const likeJson = /^[[{]/.test(firstBytes(body));
  if (!isProtobuf(contentType))
    return body[0] === lengthPrefixed && !likeJson && !looksLikeText(body)
      ? `the body is sent as JSON and begins like protobuf; send Content-Type: ${protobufMediaType}`
      : undefined;
  // In protobuf this byte starts a group, which OTLP does not use.
  return body[0] === brace
    ? 'the body is sent as protobuf and begins like JSON; send Content-Type: application/json'
    : undefined;
}

const brace = 0x7b;
/** The tag of the first field of a request. */
const lengthPrefixed = 0x0a;

/**
 * Adds a hint about CSV to the first failure, if no event could be parsed and the body does not
 * start like JSON.
 */
export function hintAtCsv(body: Uint8Array, encoded: EncodeResult): EncodeResult {
  const [first, ...others] = encoded.failures;
  if (first === undefined || encoded.ingested > 0 || /^[[{]/.test(firstBytes(body))) return encoded;
  const error = `${first.error}; it is read as JSON, and CSV is sent with Content-Type: text/csv`;
  return { ...encoded, failures: [{ ...first, error }, ...others] };
}

/** Only this many bytes are searched for the first character that is not white space. */
const lookedAt = 1024;

function firstBytes(body: Uint8Array): string {
  const start = begins(body, byteOrderMark) ? byteOrderMark.length : 0;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1', start, start + lookedAt)
    .trimStart();
}
