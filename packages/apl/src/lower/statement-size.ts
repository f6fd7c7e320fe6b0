import type { Literal, Query } from '@millrace/sql';
import { consume } from '../model/compile-budget.js';
import { queryBounds } from '../model/query-limits.js';

/** Weight of a literal in addition to its text. */
const LITERAL = 4;

/**
 * Whether a statement is too large for the engine to plan. A function may become a hundred calls,
 * and an operator repeats all columns, so the size of the query text is not enough. Counting ends
 * at the limit: shared parts count as often as they are printed.
 */
export function isTooLarge(query: Query): boolean {
  let parts = 0;
  let text = 0;
  const values: object[] = [query];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    // Printing it, several times, is the better part of this.
    consume(0.05);
    if ('kind' in value && (value.kind === 'call' || value.kind === 'column') && ++parts > queryBounds.parts.max)
      return true;
    if ('kind' in value && value.kind === 'literal') {
      text += LITERAL + lengthOf(value as Literal);
      consume(lengthOf(value as Literal) * 0.0005);
      if (text > queryBounds.literals.max) return true;
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
