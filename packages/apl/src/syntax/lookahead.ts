import { infixOperators } from './infix-operators.js';
import { queryBounds } from '../model/query-limits.js';
import { nameLength } from './names.js';
import { placesLength } from './places.js';
import type { Parser } from './parser.js';

/**
 * Whether a pipeline rather than an expression is next, where either is allowed: `let x = …`,
 * `in (…)`, arguments. A name alone counts as an expression.
 */
export function isPipelineNext(p: Parser): boolean {
  let first = 0;
  while (p.at('(', first) && first < queryBounds.nesting.max) first++;
  if (placesLength(p, first) > 0) return true;
  const length = datasetNameLength(p, first);
  if (length > 0 && p.at('|', first + length)) return true;
  const token = p.peek(first);
  if (token.kind !== 'word') return false;
  switch (token.text) {
    case 'datatable':
    case 'externaldata':
    case 'table':
    case '_GetWatchlist':
      return p.at('(', first + 1);
    case 'range':
      return p.at('from', first + 2);
    case 'print':
    case 'union':
      return hasArgument(p, first + 1);
    case 'search':
      return hasArgument(p, first + 1) || isSearchInDatasets(p, first);
    default:
      return isPipedCall(p, first);
  }
}

/** `search in (logs) "x"`, as opposed to `search in ("x")`, which tests a field named `search`. */
function isSearchInDatasets(p: Parser, ahead: number): boolean {
  const closing = p.at('in', ahead + 1) && p.at('(', ahead + 2) ? p.closingOf(ahead + 2) : undefined;
  return closing !== undefined && hasArgument(p, closing + 1);
}

/** `f(x) | …` */
function isPipedCall(p: Parser, ahead: number): boolean {
  const closing = p.at('(', ahead + 1) ? p.closingOf(ahead + 1) : undefined;
  return closing !== undefined && p.at('|', closing + 1);
}

/**
 * Whether a value begins `ahead` tokens on. If so, the word before it is no operand, as no
 * expression has two operands in a row.
 */
export function hasArgument(p: Parser, ahead: number): boolean {
  // A star is a value itself unless a value follows, which it then multiplies. So each star of a
  // run inverts the answer.
  let stars = 0;
  while (p.at('*', ahead + stars) && !p.adjacent(ahead + stars)) stars++;
  return beginsValue(p, ahead + stars) === (stars % 2 === 0);
}

/** Whether a value other than a star begins `ahead` tokens on. */
function beginsValue(p: Parser, ahead: number): boolean {
  const token = p.peek(ahead);
  switch (token.kind) {
    case 'word':
      return !infixOperators.has(token.text) && token.text !== 'matches';
    case 'string':
    case 'long':
    case 'real':
    case 'timespan':
      return true;
    case 'punctuation':
      return !p.adjacent(ahead) && (token.text === '(' || token.text === '[');
    default:
      return false;
  }
}

/**
 * How many tokens the name of a dataset takes, written correctly or not: `github*`, `['a']`,
 * `my-logs`.
 */
function datasetNameLength(p: Parser, ahead: number): number {
  let length = 0;
  // Anything longer is arithmetic. Without a bound, each of the brackets around a long product
  // would read it to its end.
  while (length < 64) {
    const name = nameLength(p, ahead + length);
    const token = p.peek(ahead + length);
    if (name !== undefined) length += name;
    else if (token.text === '*' || (length > 0 && (token.text === '-' || token.text === '.' || token.kind === 'long')))
      length++;
    else break;
  }
  return length;
}
