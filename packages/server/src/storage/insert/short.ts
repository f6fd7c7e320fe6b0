import { type Block, DICTIONARY_STRING } from '@millrace/events';

/**
 * Bytes of a text. Shorter ones are names, addresses and keys, by which people filter, group and count over all rows; longer ones are messages
 * and bodies, which they read of some, and hashes, of which nothing but zstd makes less.
 */
const longestShort = 48;

/** The same of several words: what an event has to say, in which people search. */
const longestShortWords = 120;
/** Fewer are no words. The length of a text may look like one more. */
const spacesInWords = 3;
const space = 0x20;
/** Bytes of a column of a batch that are looked at: reading all of the first batches would hold up everybody for a tenth of a second. */
const mostLooked = 64 * 1024;
/** They are looked at in pieces from all over the column. */
const pieceBytes = 1024;

/** Whether the values of a text column are short on average, as far as the batches tell in which it comes first: what decides, once, how it is compressed. */
export function isShort(name: string, batches: readonly { readonly block: Block }[]): boolean {
  let bytes = 0;
  let values = 0;
  const texts: Uint8Array[] = [];
  for (const { block } of batches) {
    const column = block.columns.find((candidate) => candidate.name === name);
    if (column === undefined || column.type === DICTIONARY_STRING) continue;
    // A byte a row says whether there is a value, and each is preceded by its length: mostly a byte, as if there were nothing else.
    bytes += column.data.length - 2 * block.rows;
    for (let row = 0; row < block.rows; row++) values += 1 - column.data[row]!;
    texts.push(column.data.subarray(block.rows));
  }
  if (bytes <= longestShort * values) return true;
  return bytes <= longestShortWords * values && spacesIn(texts) > spacesInWords * values;
}

/** About how many spaces there are. */
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
