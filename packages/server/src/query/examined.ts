import type { QueryAnswer } from '@millrace/engine';
import { printQuery, type Query } from '@millrace/sql';

/** Questions that are remembered; each answer is a few numbers. */
const MAX_REMEMBERED = 1000;

interface Remembered {
  readonly version: string;
  readonly answer: QueryAnswer;
}

/** For each storage: how many rows there are in a range, and from when to when. */
const remembered = new WeakMap<object, Map<string, Remembered>>();

/**
 * How many rows there are is asked with every query and mostly the same as before, so it is asked again only when the data has
 * another version. That has to be read before the question, as for cached results.
 * @param version undefined: not known, so always asked
 */
export async function examinedOnce(
  storage: object,
  query: Query,
  version: string | undefined,
  ask: (query: Query) => Promise<QueryAnswer>,
): Promise<QueryAnswer> {
  if (version === undefined) return ask(query);
  const known = remembered.get(storage) ?? new Map<string, Remembered>();
  remembered.set(storage, known);
  const key = printQuery(query);
  const found = known.get(key);
  if (found?.version === version) return found.answer;
  const answer = await ask(query);
  known.delete(key);
  known.set(key, { version, answer });
  for (const oldest of known.keys()) {
    if (known.size <= MAX_REMEMBERED) break;
    known.delete(oldest);
  }
  return answer;
}
