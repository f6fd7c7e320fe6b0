import { and, call, column, integer, lambda, literal, nullLiteral } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shownJson } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { elementsOf, jsonOrNullText } from '../../lower/json/members.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import type { LoweredArgument } from '../define.js';
import { contentOf, holdsArray, holdsText, parsedJson } from '../json-text.js';

/**
 * Building blocks for functions on arrays. They read an array once, as `Array(String)` of the JSON
 * texts of its elements.
 */

/** JSON text of an element that is null. */
export const nullText = literal('null');

/** The default 1 of an argument that was left out. */
export const one: LoweredArgument = { type: 'long', sql: integer(1), constant: 1n };

export const mapElements = (elements: Expr, name: string, body: (element: Expr) => Expr): Expr =>
  call('arrayMap', lambda([name], body(column(name))), elements);

export const filterElements = (elements: Expr, name: string, test: (element: Expr) => Expr): Expr =>
  call('arrayFilter', lambda([name], test(column(name))), elements);

/** Number of elements, signed. */
export const sizeOf = (elements: Expr): Expr => call('toInt64', call('length', elements));

/** `body` over the elements; null if the value is not an array or one of `required` is null. */
export function ofArray(
  array: LoweredArgument,
  type: ScalarType,
  body: (elements: Expr) => Expr,
  required: readonly LoweredArgument[] = [],
): Expr {
  const given = required.filter(({ constant }) => constant === undefined || constant === null);
  return shareSubexpression(array.sql, (json) =>
    call(
      'if',
      and(holdsArray(json), ...given.map(({ sql }) => call('isNotNull', sql))),
      body(elementsOf(json)),
      nullOf(type),
    ),
  );
}

/** A place in an array as a number between 0 and `size`; a negative one counts from the end. */
export function placeIn(size: Expr, place: LoweredArgument): Expr {
  const fromStart = (at: Expr): Expr => call('least', at, size);
  const fromEnd = (at: Expr): Expr => call('greatest', call('plus', size, at), integer(0));
  if (typeof place.constant === 'bigint') return place.constant < 0n ? fromEnd(place.sql) : fromStart(place.sql);
  return shareSubexpression(place.sql, (at) => call('if', call('less', at, integer(0)), fromEnd(at), fromStart(at)));
}

/** The JSON text of a value as an element of an array; null is `null`. */
export function elementText(value: LoweredArgument): Expr {
  if (!isDynamic(value.type) || value.constant === null) return jsonOrNullText(value);
  return call('ifNull', parsedJson(value.sql), nullText);
}

/** The text of an element: the content of a string, empty for null, otherwise its JSON. */
export const textOf = (element: Expr): Expr =>
  call(
    'multiIf',
    holdsText(element),
    contentOf(element),
    call('equals', element, nullText),
    literal(''),
    shownJson(element),
  );

/**
 * A value to go with an array of `size` elements: an array is cut or filled up with nulls, any
 * other value is repeated.
 */
export function adjacent(size: Expr, value: LoweredArgument): Expr {
  const repeatText = (text: Expr): Expr => call('arrayWithConstant', size, text);
  const resizeList = (json: Expr): Expr => call('arrayResize', elementsOf(json), size, nullText);
  if (!isDynamic(value.type) || value.constant === null) return repeatText(jsonOrNullText(value));
  if (value.type === 'array') return resizeList(value.sql);
  return shareSubexpression(value.sql, (json) =>
    call('if', holdsArray(json), resizeList(json), repeatText(elementText({ type: 'dynamic', sql: json }))),
  );
}

/**
 * The numbers of a JSON array as `Array(Nullable(Float64))`: texts that are numbers count, true is
 * 1 and false 0, other elements are null.
 */
export const numbersOf = (json: Expr): Expr =>
  // Where no element is a number, the engine gives an empty array.
  shareSubexpression(json, (text) =>
    call('arrayResize', typedElements(text, 'Float64'), call('JSONLength', orEmpty(text)), nullLiteral),
  );

/** The numbers among the elements of a JSON array as `Array(Float64)`. */
export const presentNumbersOf = (json: Expr): Expr => present(typedElements(json, 'Float64'));

/** The same as `Array(Int64)`, numbers without their fractions. */
export const integersOf = (json: Expr): Expr => present(typedElements(json, 'Int64'));

const typedElements = (json: Expr, type: string): Expr =>
  call('JSONExtract', orEmpty(json), literal(`Array(Nullable(${type}))`));

const orEmpty = (json: Expr): Expr => call('ifNull', json, literal(''));

/** The elements that are not null, as an array of a type without null. */
export const present = (elements: Expr): Expr =>
  mapElements(
    filterElements(elements, 'value', (value) => call('isNotNull', value)),
    'value',
    (value) => call('assumeNotNull', value),
  );
