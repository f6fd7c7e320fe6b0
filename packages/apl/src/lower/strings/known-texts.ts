import { call } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../equality.js';

/**
 * JSON that is built from strings of the engine. Functions that read such JSON use the strings
 * directly, without parsing. It is recognized by its expression; as a column of a subquery, it is
 * parsed like any other.
 */

interface Texts {
  /** `Array(String)`. */
  readonly texts: Expr;
  /** If one of these is null, so is the array. */
  readonly required: readonly Expr[];
  readonly at?: TextAt;
}

/**
 * The string at an index, negative from the end, computed without the others; null if it does not
 * exist. Undefined for indexes that cannot be computed this way.
 */
export type TextAt = (place: bigint) => Expr | undefined;

const arrays = new WeakMap<Expr, Texts>();
const strings = new WeakMap<Expr, Expr>();

/** The JSON array of an `Array(String)`; null if one of the required expressions is. */
export function textsJson(required: readonly Expr[], texts: Expr, at?: TextAt): Expr {
  const json = whereAll(required, call('toJSONString', texts));
  arrays.set(json, { texts, required, ...(at && { at }) });
  return json;
}

/**
 * `body` over the texts that a JSON array was written from, null where the array is; undefined for
 * any other JSON.
 */
export function ofTexts(json: Expr, body: (texts: Expr) => Expr): Expr | undefined {
  const known = arrays.get(json);
  return known === undefined ? undefined : whereAll(known.required, body(known.texts));
}

/**
 * The text at a place of a JSON array that was written from texts, null if it is not there;
 * undefined for any other JSON.
 */
export function textAt(json: Expr, place: bigint): Expr | undefined {
  const known = arrays.get(json);
  const text = known?.at?.(place);
  return known && text && whereAll(known.required, text);
}

/** JSON of a text, which `textIn` finds again. */
export function textJson(text: Expr): Expr {
  const json = call('toJSONString', text);
  strings.set(json, text);
  return json;
}

/** The text that JSON was written from; undefined for any other JSON. */
export const textIn = (json: Expr): Expr | undefined => strings.get(json);
