import { bothOf, requiredWords } from '../../plan/required-words.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Relation } from './relation.js';

/**
 * A relation that is about to be filtered: if it is rows of a table, the words that all rows have
 * that are left are noted with the table.
 */
export function withWords(relation: Relation, predicate: Scalar): Relation {
  const { from, texts } = relation;
  if (from?.kind !== 'table' || texts === undefined) return relation;
  const words = bothOf([from.words, requiredWords(predicate, (id) => texts.has(id))]);
  return words === undefined ? relation : { ...relation, from: { ...from, words } };
}
