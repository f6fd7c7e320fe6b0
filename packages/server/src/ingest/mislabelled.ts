import type { EncodeResult } from '@millrace/events';

/** Bodies that are not what their headers say. Read by them, every event would fail for a reason that is not theirs, or become fields nobody sent. */

const text = (characters: string): readonly number[] => [...Buffer.from(characters, 'latin1')];

/** First bytes that no JSON, CSV or OTLP begins with. */
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

/**
 * What is wrong with a body whose first bytes are those of something else, and what to do about it.
 * @param body without its content encoding
 * @param decoded whether it had one
 */
export function packedWithoutSaying(body: Uint8Array, decoded: boolean): string | undefined {
  if (begins(body, zip)) return 'the body is a ZIP archive; send the files that are in it';
  const name = packed.find(([bytes]) => begins(body, bytes))?.[1];
  if (name === undefined) return undefined;
  return decoded
    ? `what Content-Encoding says was decoded, and is ${name} again; compress the body once`
    : `the body is ${name}; send Content-Encoding: ${name} with it`;
}

/** The same of what is sent as JSON. UTF-16 of CSV is found where its header is read. */
export const notUtf8 = (body: Uint8Array): string | undefined =>
  utf16.some((bytes) => begins(body, bytes)) ? 'the body is UTF-16; send UTF-8' : undefined;

/** JSON sent as CSV whose first row names the columns: it would name them after the first event. */
export const jsonAsCsv = (body: Uint8Array): string | undefined =>
  /^(\[\s*)?\{\s*"/.test(beginning(body))
    ? 'the body is sent as CSV and begins like JSON; send Content-Type: application/json'
    : undefined;

/** Of a body of which nothing could be read as JSON, and that does not begin like it: the first failure says how CSV is sent. */
export function hintAtCsv(body: Uint8Array, encoded: EncodeResult): EncodeResult {
  const [first, ...others] = encoded.failures;
  if (first === undefined || encoded.ingested > 0 || /^[[{]/.test(beginning(body))) return encoded;
  const error = `${first.error}; it is read as JSON, and CSV is sent with Content-Type: text/csv`;
  return { ...encoded, failures: [{ ...first, error }, ...others] };
}

/** White space before the first value is not looked at for longer. */
const lookedAt = 1024;

function beginning(body: Uint8Array): string {
  const start = begins(body, byteOrderMark) ? byteOrderMark.length : 0;
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('latin1', start, start + lookedAt)
    .trimStart();
}
