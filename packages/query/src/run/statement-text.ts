import { printQuery, type Query } from '@millrace/sql';

const texts = new WeakMap<Query, string>();

/** The text of a query, printed once: compiled queries are cached and serve many requests. */
export function statementText(query: Query): string {
  const present = texts.get(query);
  if (present !== undefined) return present;
  const text = printQuery(query);
  texts.set(query, text);
  return text;
}
