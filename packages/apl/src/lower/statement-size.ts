import type { Literal, Query } from '@millrace/sql';
import { spend } from '../effort.js';
import { queryBounds } from '../query-bounds.js';

/** What a literal takes besides its text. */
const LITERAL = 4;

/**
 * Whether a statement is more than the engine should plan. A function may become a hundred calls,
 * and an operator repeats all columns, so the text of a query does not tell. Counting ends at the
 * limit: parts that are shared count as often as they are written.
 */
export function isTooLarge(query: Query): boolean {
  let parts = 0;
  let text = 0;
  const values: object[] = [query];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    // Printing it, several times, is the better part of this.
    spend(0.05);
    if ('kind' in value && (value.kind === 'call' || value.kind === 'column') && ++parts > queryBounds.parts.most)
      return true;
    if ('kind' in value && value.kind === 'literal') {
      text += LITERAL + lengthOf(value as Literal);
      spend(lengthOf(value as Literal) * 0.0005);
      if (text > queryBounds.literals.most) return true;
      continue;
    }
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner === 'object' && inner !== null) values.push(inner);
    }
  }
  return false;
}

const lengthOf = ({ value }: Literal): number => (typeof value === 'string' ? value.length : 0);
