import type { MembershipExpr, StringTestExpr } from '../../syntax/ast.js';
import { operation } from './binary.js';
import { convert } from './conversions.js';
import type { Scalar } from './scalar.js';
import { isBag, isList, textOf } from './values.js';
import type { Type, Value } from './values.js';

/**
 * Tests on text; a value of another type is tested as its text. Null passes no test and so every
 * negated one.
 */
export function textTest(expr: StringTestExpr, left: Scalar, right: Scalar): Scalar {
  const needle = convert(right, 'string');
  return {
    type: 'bool',
    at: (rows, i) => {
      const [text, wanted] = [textOf(left.at(rows, i), left.type), needle.at(rows, i)];
      const passes = text !== null && typeof wanted === 'string' && passesTest(expr, text, wanted);
      return passes !== expr.negated;
    },
  };
}

function passesTest({ op, caseSensitive }: StringTestExpr, text: string, needle: string): boolean {
  const fold = (value: string): string => (caseSensitive ? value : value.toLowerCase());
  switch (op) {
    case 'contains':
      return fold(text).includes(fold(needle));
    case 'startswith':
      return fold(text).startsWith(fold(needle));
    case 'endswith':
      return fold(text).endsWith(fold(needle));
    case 'equals':
      return fold(text) === fold(needle);
    case 'has':
      return hasTerm(fold(text), fold(needle), true, true);
    case 'hasprefix':
      return hasTerm(fold(text), fold(needle), true, false);
    case 'hassuffix':
      return hasTerm(fold(text), fold(needle), false, true);
    case 'matches regex':
      return new RegExp(needle, 'u').test(text);
    case 'term':
      throw new Error('a term of search');
  }
}

const inTerm = (character: string | undefined): boolean => character !== undefined && /^[\p{L}\p{N}]$/u.test(character);

/**
 * Whether the text contains the needle such that no term continues beyond the ends that `before`
 * and `after` name.
 */
function hasTerm(text: string, needle: string, before: boolean, after: boolean): boolean {
  const [characters, wanted] = [[...text], [...needle]];
  for (let at = 0; at + wanted.length <= characters.length; at++) {
    const end = at + wanted.length;
    if (!wanted.every((character, k) => characters[at + k] === character)) continue;
    const startsTerm = !before || !inTerm(wanted[0]) || !inTerm(characters[at - 1]);
    const endsTerm = !after || !inTerm(wanted.at(-1)) || !inTerm(characters[end]);
    if (startsTerm && endsTerm) return true;
  }
  return false;
}

/**
 * `in`, `has_any`, `has_all` and their negated forms; the list may hold dynamic arrays, whose
 * elements count.
 */
export function membershipTest(expr: MembershipExpr, left: Scalar, list: readonly Scalar[]): Scalar {
  const fold = (scalar: Scalar): Scalar =>
    expr.caseSensitive
      ? scalar
      : { type: 'string', at: (rows, i) => textOf(scalar.at(rows, i), scalar.type)?.toLowerCase() ?? null };
  return {
    type: 'bool',
    at: (rows, i) => {
      const items = list.flatMap((item): readonly Scalar[] => {
        const value = item.at(rows, i);
        // Elements are not converted to the type of the column: a string equals no number.
        if (isList(value))
          return flat(value)
            .filter(
              (element) => expr.op !== 'in' || typeof left.at(rows, i) !== 'string' || typeof element === 'string',
            )
            .map(elementOf);
        if (item.type !== 'dynamic') return [item];
        // Values in data behave like array elements: nulls are no terms, and no string equals an
        // object or a number.
        return value === null || (expr.op === 'in' && isBag(value) && left.type === 'string') ? [] : [elementOf(value)];
      });
      const test = (item: Scalar): boolean =>
        expr.op === 'in'
          ? operation('==', fold(left), fold(item)).at(rows, i) === true
          : term(textOf(left.at(rows, i), left.type), textOf(item.at(rows, i), item.type), expr.caseSensitive);
      const found = expr.op === 'has_all' ? items.every(test) : items.some(test);
      return found !== expr.negated;
    },
  };
}

/** The elements of a list and of nested lists, except nulls, which equal nothing. */
const flat = (list: readonly Value[]): readonly Value[] =>
  list.flatMap((value) => (isList(value) ? flat(value) : value === null ? [] : [value]));

/** An element of a list, with the type of its JSON value. */
function elementOf(value: Value): Scalar {
  const types: Readonly<Record<string, Type>> = { bigint: 'long', number: 'real', string: 'string', boolean: 'bool' };
  return { type: types[typeof value] ?? 'dynamic', at: () => value };
}

function term(text: Value, needle: Value, caseSensitive: boolean): boolean {
  if (typeof text !== 'string' || typeof needle !== 'string') return false;
  return caseSensitive
    ? hasTerm(text, needle, true, true)
    : hasTerm(text.toLowerCase(), needle.toLowerCase(), true, true);
}
