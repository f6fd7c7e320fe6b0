import { wordHashes, wordKeys } from '@millrace/apl';
import { call, column, type Expr, literal } from '@millrace/sql';
import { textsOfRow } from '../fields/readings.js';
import { elsewhere, placeOf } from './places.js';

/** Statements about the words of rows that are grouped. */

/** What some rows tell of the texts of a column. */
interface Texts {
  readonly distinct: number;
  /** Bytes of the longest. */
  readonly longest: number;
}

/**
 * So few and so short texts are gathered before they are divided into words: to divide each text
 * once, instead of once for each row, is a third less work. More or longer ones could take much
 * memory.
 */
export const isRepeated = ({ distinct, longest }: Texts): boolean => distinct <= 1024 && longest <= 512;

/**
 * The keys of all words in the rows of a group, an array in which each is once; undefined if no
 * column has texts.
 * @param columns of the table
 * @param repeated columns with few texts
 */
export function wordsOfRows(
  columns: readonly string[],
  { overflows, repeated }: { readonly overflows: boolean; readonly repeated: ReadonlySet<string> },
): Expr | undefined {
  const single = columns.filter((name) => !repeated.has(name));
  const texts = textsOfRow(single, overflows, { placeOf, others: elsewhere });
  const keys = [
    ...[...texts].map(([place, text]) => wordKeys(call('groupUniqArrayArray', wordHashes(text)), place)),
    ...[...repeated].map((name) => {
      const lines = call('arrayStringConcat', call('groupUniqArray', column(name)), literal('\n'));
      return wordKeys(wordHashes(lines), placeOf(name));
    }),
  ];
  return keys.length === 0 ? undefined : call('arrayDistinct', call('arrayConcat', ...keys));
}
