import { wordHashes, wordKeys } from '@millrace/apl';
import { call, column, type Expr, literal } from '@millrace/sql';
import { textsOfRow } from '../fields/variants.js';
import { OTHER_COLUMNS, placeOf } from './column-hash.js';

/** Statements about the terms of grouped rows. */

/** Statistics of a column's texts in some rows. */
interface Texts {
  readonly distinct: number;
  /** Bytes of the longest. */
  readonly longest: number;
}

/**
 * Texts this few and short are deduplicated before they are split into terms: splitting each text
 * once, instead of once per row, is a third less work. More or longer ones could take much memory.
 */
export const isRepeated = ({ distinct, longest }: Texts): boolean => distinct <= 1024 && longest <= 512;

/**
 * The keys of all terms in the rows of a group, as a distinct array; undefined if no column has
 * texts.
 * @param columns of the table
 * @param repeated columns with few texts
 */
export function wordsOfRows(
  columns: readonly string[],
  { overflows, repeated }: { readonly overflows: boolean; readonly repeated: ReadonlySet<string> },
): Expr | undefined {
  const single = columns.filter((name) => !repeated.has(name));
  const texts = textsOfRow(single, overflows, { placeOf, others: OTHER_COLUMNS });
  const keys = [
    ...[...texts].map(([place, text]) => wordKeys(call('groupUniqArrayArray', wordHashes(text)), place)),
    ...[...repeated].map((name) => {
      const lines = call('arrayStringConcat', call('groupUniqArray', column(name)), literal('\n'));
      return wordKeys(wordHashes(lines), placeOf(name));
    }),
  ];
  return keys.length === 0 ? undefined : call('arrayDistinct', call('arrayConcat', ...keys));
}
