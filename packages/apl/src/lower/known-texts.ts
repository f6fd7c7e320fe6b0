import { call } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from './equality.js';

/**
 * JSON that is written from texts of the engine. Its readers take those texts, instead of parsing what was just written. Such JSON is
 * known by its expression; once it is a column of a subquery, it is read like any other.
 */

interface Texts {
  /** `Array(String)`. */
  readonly texts: Expr;
  /** What the array is null without. */
  readonly required: readonly Expr[];
}

const arrays = new WeakMap<Expr, Texts>();
const strings = new WeakMap<Expr, Expr>();

/** JSON array of an `Array(String)`; null if one of the required is. */
export function textsJson(required: readonly Expr[], texts: Expr): Expr {
  const json = whereAll(required, call('toJSONString', texts));
  arrays.set(json, { texts, required });
  return json;
}

/** `body` over the texts of an array that is made of them, null where the array is; undefined for any other JSON. */
export function ofTexts(json: Expr, body: (texts: Expr) => Expr): Expr | undefined {
  const known = arrays.get(json);
  return known === undefined ? undefined : whereAll(known.required, body(known.texts));
}

/** JSON of a text, which `textIn` finds again. */
export function textJson(text: Expr): Expr {
  const json = call('toJSONString', text);
  strings.set(json, text);
  return json;
}

/** The text in the JSON of one; undefined for any other JSON. */
export const textIn = (json: Expr): Expr | undefined => strings.get(json);
