import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';

/**
 * Splits strings into words for the term index: runs of ASCII letters and digits, case-insensitive.
 * Search strings are split like stored strings. Every string that matches a search contains its
 * words; strings that contain them without matching cost time but do not change the result.
 */

/** Characters that some string operator treats as equal to an ASCII letter of another case. */
const caseFoldings: readonly (readonly [string, string])[] = [
  ['ſ', 's'],
  ['\u212a', 'k'],
  ['İ', 'i'],
  ['ı', 'i'],
];
/**
 * In lower case, İ becomes two characters; this is the second. Search strings that contain it do
 * not use the index.
 */
const dot = '\u0307';

/** Whether a searched text is known to begin or end where a word does. */
interface Edges {
  readonly first: boolean;
  readonly last: boolean;
}

/**
 * The words that a string must contain if it contains `needle`; a word at an end where the needle
 * may be inside a longer word does not count.
 */
export function wordsIn(needle: string, { first, last }: Edges): readonly string[] {
  if (needle.includes(dot)) return [];
  const plain = caseFoldings.reduce((text, [from, to]) => text.replaceAll(from, to), needle);
  const words = plain.split(/[^0-9A-Za-z]+/);
  const [begin, end] = [first ? 0 : 1, words.length - (last ? 0 : 1)];
  const whole = words.slice(begin, end).filter((word) => word !== '');
  return [...new Set(whole.map((word) => word.toLowerCase()))];
}

/**
 * Bits of a word's number. With fewer, words of many events would collide; more make the index
 * larger.
 */
const wordBits = 28;

const hashOf = (word: Expr): Expr => call('cityHash64', word);

/** The number of a word, by its hash; 0 means none. */
const wordNumber = (hash: Expr): Expr =>
  call('toUInt32', call('greatest', call('bitAnd', hash, integer(2 ** wordBits - 1)), call('toUInt64', integer(1))));

/** `wordNumber`, computed here instead of in SQL. */
export const numberOfHash = (hash: bigint): number => Math.max(1, Number(BigInt.asUintN(wordBits, hash)));

/** Number of columns hashes of a word: four bits that follow the word's number in a key. */
export const wordPlaces = 16;

/** The smallest key of a word, by its hash; the keys for its columns follow. */
const firstKey = (hash: Expr): Expr => call('multiply', wordNumber(hash), integer(wordPlaces));

/** The hashes of the words in a text that is not null. */
export const wordHashes = (text: Expr): Expr =>
  call('arrayMap', lambda(['word'], hashOf(column('word'))), call('tokens', call('lower', asciiOf(text))));

/**
 * The keys of words at some place, by their hashes. They are more work than the hashes, so it is
 * left for when each word is there once.
 */
export const wordKeys = (hashes: Expr, place: number): Expr =>
  call('arrayMap', lambda(['hash'], call('toUInt32', call('plus', firstKey(column('hash')), integer(place)))), hashes);

/**
 * The engine's own words may have other characters than ASCII in them, so these become spaces. Most
 * texts have none.
 */
function asciiOf(text: Expr): Expr {
  const plain = caseFoldings.reduce((so, [from, to]) => call('replaceAll', so, literal(from), literal(to)), text);
  const spaced = call('replaceRegexpAll', plain, literal('[^\\x00-\\x7f]+'), literal(' '));
  return call('if', call('isValidASCII', text), text, spaced);
}
