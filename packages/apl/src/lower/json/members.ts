import { call, type Expr, integer, literal } from '@millrace/sql';
import type { LoweredArgument } from '../../functions/define.js';
import { withOrigin } from '../origins.js';
import { shareSubexpression } from '../shared-subexpressions.js';
import { ofTexts, textAt, textJson } from '../strings/known-texts.js';
import { asJson, asString, nullOf } from '../values.js';
import { elementTexts, memberText, readableText } from './json-parts.js';
import { extendPath, type Path, pathIn, pathOf, recordPath } from './member-paths.js';
import { memberIn } from './text-objects.js';

/**
 * JSON text with SQL NULL instead of the text `null`; to be used on all results of the engine's
 * JSON functions.
 */
export const withoutNull = (json: Expr): Expr => call('nullIf', json, literal('null'));

/**
 * JSON text of a member, given by a key or a zero-based position, negative from the end. Null if it
 * is not there.
 */
export function memberOf(json: Expr, index: LoweredArgument): Expr {
  if (index.type !== 'long') {
    const text = typeof index.constant === 'string' ? memberIn(json, index.constant) : undefined;
    return text === undefined ? keyOf(json, asString(index)) : textJson(text);
  }
  const position =
    typeof index.constant === 'bigint'
      ? integer(index.constant < 0n ? index.constant : index.constant + 1n)
      : call('plus', index.sql, call('greaterOrEquals', index.sql, integer(0)));
  const text =
    (typeof index.constant === 'bigint' ? textAt(json, index.constant) : undefined) ??
    ofTexts(json, (texts) => call('arrayElementOrNull', texts, position));
  if (text !== undefined) return textJson(text);
  // In an object the engine would look up the member at that position.
  const whole = pathOf(json);
  if (whole?.keys.length === 0)
    return elementWhere(call('match', whole.json, literal(ARRAY)), extendPath(whole, position));
  return shareSubexpression(json, (text) =>
    elementWhere(call('startsWith', text, literal('[')), pathIn(text, position)),
  );
}

/** The element at a path, null unless its container is an array. */
function elementWhere(isArray: Expr, path: Path): Expr {
  const found = call('if', isArray, member(path), nullOf('dynamic'));
  elements.set(found, { isArray, path });
  return found;
}

/** The beginning of a text that holds an array if it is JSON at all. */
const ARRAY = String.raw`^\x{FEFF}?[ \t\r\n]*\[`;

/**
 * Looks up a key. The member of a member, `a.b.c`, or of an element, `a[0].x`, is one lookup in
 * `a`.
 */
function keyOf(json: Expr, key: Expr): Expr {
  const element = elements.get(json);
  if (element !== undefined)
    return call('if', element.isArray, member(extendPath(element.path, key)), nullOf('dynamic'));
  return member(extendPath(pathOf(json) ?? pathIn(json), key));
}

/** The path of each expression made by `elementWhere`, and whether there is an array. */
const elements = new WeakMap<Expr, { readonly isArray: Expr; readonly path: Path }>();

/**
 * The JSON of a parsed string. Its members are looked up in the string: one that is not JSON has
 * none. A subquery returns the original string: the readable one would be a mere column, which
 * `once` repeats, and expressions that several `if` share are computed for all rows.
 */
export function parsedFrom(text: Expr, json: Expr): Expr {
  recordPath(json, pathIn(readableText(text)));
  return withOrigin(text, json, parsedFrom);
}

/** The member at a path; the engine gives an empty text if there is none. */
function member(path: Path): Expr {
  const found = withoutNull(call('nullIf', memberText(path.json, ...path.keys), literal('')));
  recordPath(found, path);
  return found;
}

/**
 * The elements of a JSON array as `Array(String)` of JSON texts, where null is `null`; empty for
 * null and anything else.
 */
export const elementsOf = (json: Expr): Expr => elementTexts(call('ifNull', json, literal('')));

/** JSON text of an array whose elements are given as `Array(String)` of JSON texts. */
export const arrayJson = (elements: Expr): Expr =>
  call('concat', literal('['), call('arrayStringConcat', elements, literal(',')), literal(']'));

/** JSON text of an array of values, null written as `null`. */
export function packArray(values: readonly LoweredArgument[]): Expr {
  return values.length === 0 ? literal('[]') : arrayJson(call('array', ...values.map(jsonOrNullText)));
}

/**
 * JSON text of an object; keys are string expressions. If a constant key occurs twice, the last one
 * counts, as in events.
 */
export function packBag(all: readonly { readonly key: LoweredArgument; readonly value: LoweredArgument }[]): Expr {
  if (all.length === 0) return literal('{}');
  const last = new Map(all.map(({ key }, i) => [key.constant, i]));
  const entries = all.filter(({ key }, i) => typeof key.constant !== 'string' || last.get(key.constant) === i);
  const parts = entries.flatMap(({ key, value }, i) => [
    i === 0 ? literal('') : literal(','),
    typeof key.constant === 'string'
      ? literal(`${JSON.stringify(key.constant)}:`)
      : call('concat', asJson(key), literal(':')),
    jsonOrNullText(value),
  ]);
  return call('concat', literal('{'), ...parts, literal('}'));
}

/** JSON text of a value, with null as the text `null`, for building arrays and objects. */
export const jsonOrNullText = (value: LoweredArgument): Expr =>
  value.constant === null ? literal('null') : call('ifNull', asJson(value), literal('null'));
