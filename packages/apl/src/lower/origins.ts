import type { Expr } from '@millrace/sql';

/**
 * Declares that JSON is made from a text, so that functions of the JSON use the text directly;
 * returns the JSON.
 */
type MadeFrom = (text: Expr, json: Expr) => Expr;

interface Origin {
  readonly text: Expr;
  readonly madeFrom: MadeFrom;
}

const origins = new WeakMap<Expr, Origin>();

/**
 * Keeps which text JSON is made from: a subquery whose column is such JSON gives the text as well.
 */
export function withOrigin(text: Expr, json: Expr, madeFrom: MadeFrom): Expr {
  origins.set(json, { text, madeFrom });
  return json;
}

/** The text that JSON is made from, if that is known. */
export const originOf = (json: Expr): Origin | undefined => origins.get(json);
