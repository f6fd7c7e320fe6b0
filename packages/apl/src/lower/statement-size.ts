import type { Literal, Query } from '@millrace/sql';
import { spend } from '../effort.js';

/**
 * Calls and columns of a statement. The engine plans ten thousand of them in half a second to a
 * second, and cannot be stopped while it does.
 */
const MAX_PARTS = 150_000;

/**
 * Characters of literals: the engine reads statements of up to 32 MiB, which is checked only once
 * one is written, and handing over half of that takes as long as anything may that others wait for.
 */
const MAX_TEXT = 16 * 2 ** 20;

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
    if ('kind' in value && (value.kind === 'call' || value.kind === 'column') && ++parts > MAX_PARTS) return true;
    if ('kind' in value && value.kind === 'literal') {
      text += LITERAL + lengthOf(value as Literal);
      spend(lengthOf(value as Literal) * 0.0005);
      if (text > MAX_TEXT) return true;
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
