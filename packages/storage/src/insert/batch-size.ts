import { type Block, DICTIONARY_STRING } from '@millrace/events';

/**
 * Maximum mean bytes of short texts: names, addresses and keys, by which users filter, group and
 * count over all rows. Longer ones are messages and bodies, which users read for a few rows, and
 * hashes, which only zstd compresses.
 */
const longestShort = 48;

/** Limit for texts of several words: messages, which users search. */
const longestShortWords = 120;
/**
 * Texts with no more spaces than this are not prose. The length byte of a text may equal one more
 * space.
 */
const spacesInWords = 3;
const space = 0x20;
/**
 * Hexadecimal texts from this length on are IDs of traces, spans and requests: to LZ4 they are
 * random bytes, and zstd halves them. A search for one of them reads a few granules, because they
 * have an index.
 */
const shortestIdentifier = 16;
/**
 * The share of hexadecimal digits in such texts; the rest are length bytes, and the hyphens of a
 * UUID.
 */
const digitsInIdentifiers = 5 / 6;
/**
 * Bytes sampled from a column of a batch: reading the first batches completely would block the
 * event loop for a tenth of a second.
 */
const maxExaminedBytes = 64 * 1024;
/** The sample is taken in chunks of this size, spread over the column. */
const pieceBytes = 1024;

/**
 * Whether the values of a text column are short on average and not hexadecimal identifiers, judged
 * from the batches in which it first appears. This decides, once, how it is compressed.
 */
export function isShort(name: string, batches: readonly { readonly block: Block }[]): boolean {
  let bytes = 0;
  let values = 0;
  const texts: Uint8Array[] = [];
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    if (column === undefined || column.type === DICTIONARY_STRING) continue;
    // One byte per row says whether there is a value, and a length precedes each text, counted as a
    // single byte because most are.
    bytes += column.data.length - 2 * block.rows;
    for (let row = 0; row < block.rows; row++) values += 1 - column.data[row]!;
    texts.push(column.data.subarray(block.rows));
  }
  if (bytes <= longestShort * values) return bytes < shortestIdentifier * values || !areHexadecimal(texts);
  return bytes <= longestShortWords * values && countIn(texts, isSpace) > spacesInWords * values;
}

const isSpace = (byte: number): boolean => byte === space;
const isDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
/** A row without a value is a text of length 0. */
const isOfValue = (byte: number): boolean => byte !== 0;

const areHexadecimal = (texts: readonly Uint8Array[]): boolean =>
  countIn(texts, isDigit) >= digitsInIdentifiers * countIn(texts, isOfValue);

/** Estimates the number of matching bytes in all texts. */
function countIn(texts: readonly Uint8Array[], counts: (byte: number) => boolean): number {
  let found = 0;
  for (const text of texts) {
    const oneOf = Math.ceil(text.length / maxExaminedBytes);
    for (let piece = 0; piece < text.length; piece += pieceBytes * oneOf) {
      const end = Math.min(piece + pieceBytes, text.length);
      for (let at = piece; at < end; at++) if (counts(text[at]!)) found += oneOf;
    }
  }
  return found;
}
