import { type Block, DICTIONARY_STRING } from '@millrace/events';

/**
 * Mean bytes up to which texts are short. Shorter ones are names, addresses and keys, by which people filter, group and count over all rows. Longer
 * ones are messages and bodies, which they read for a few rows, and hashes, which only zstd makes smaller.
 */
const longestShort = 48;

/** The same for texts of several words: messages, which people search. */
const longestShortWords = 120;
/** Texts with no more spaces than this are not words. The length byte of a text may look like one more space. */
const spacesInWords = 3;
const space = 0x20;
/** Bytes sampled from a column of a batch: reading the first batches whole would block the event loop for a tenth of a second. */
const mostLooked = 64 * 1024;
/** The sample is taken in pieces of this size, spread over the column. */
const pieceBytes = 1024;

/**
 * Whether the values of a text column are short on average, judged from the batches in which it first appears. This decides, once, how it is
 * compressed.
 */
export function isShort(name: string, batches: readonly { readonly block: Block }[]): boolean {
  let bytes = 0;
  let values = 0;
  const texts: Uint8Array[] = [];
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    if (column === undefined || column.type === DICTIONARY_STRING) continue;
    // One byte per row says whether there is a value, and a length precedes each text; lengths are counted as one byte, which most are.
    bytes += column.data.length - 2 * block.rows;
    for (let row = 0; row < block.rows; row++) values += 1 - column.data[row]!;
    texts.push(column.data.subarray(block.rows));
  }
  if (bytes <= longestShort * values) return true;
  return bytes <= longestShortWords * values && spacesIn(texts) > spacesInWords * values;
}

/** Estimates the number of spaces in all texts. */
function spacesIn(texts: readonly Uint8Array[]): number {
  let spaces = 0;
  for (const text of texts) {
    const oneOf = Math.ceil(text.length / mostLooked);
    for (let piece = 0; piece < text.length; piece += pieceBytes * oneOf) {
      const end = Math.min(piece + pieceBytes, text.length);
      for (let at = piece; at < end; at++) if (text[at] === space) spaces += oneOf;
    }
  }
  return spaces;
}
