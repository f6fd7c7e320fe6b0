import type { Operator, TopNestedLevel } from '../ast.js';
import { parseDirection, parseNamed, parseSortKey } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { commaList } from '../lists.js';
import { operatorNameAt } from '../operator-names.js';
import type { Parser } from '../parser.js';

/**
 *     sort = ( "sort" | "order" ) "by" key { "," key }
 */
export function parseSort(p: Parser, start: number): Operator {
  if (p.accept('by') === undefined) {
    const word = p.text.slice(start, p.previousEnd);
    const fix = { title: 'Write by', replacement: `${word} by` };
    p.error(p.spanFrom(start), `expected by after ${word}, but found ${p.describe()}`, fix);
  }
  const keys = commaList(p, () => parseSortKey(p));
  return { kind: 'sort', keys, span: p.spanFrom(start) };
}

/**
 *     top = "top" expression "by" key
 */
export function parseTop(p: Parser, start: number): Operator {
  const count = parseExpression(p);
  p.expect('by', 'after the number of rows');
  const key = parseSortKey(p);
  if (p.at(',')) {
    p.error(p.here(), 'top has one key; for several, use sort by a, b | take N');
    p.skipTo();
  }
  return { kind: 'top', count, key, span: p.spanFrom(start) };
}

/**
 *     top-hitters = "top-hitters" expression "of" named [ "by" expression ]
 */
export function parseTopHitters(p: Parser, start: number): Operator {
  const count = parseExpression(p);
  p.expect('of', 'after the number of values');
  const of = parseNamed(p);
  const by = p.accept('by') === undefined ? undefined : parseExpression(p);
  return { kind: 'top-hitters', count, of, ...(by && { by }), span: p.spanFrom(start) };
}

/**
 *     top-nested = "top-nested" level { "," "top-nested" level }
 */
export function parseTopNested(p: Parser, start: number): Operator {
  const levels = commaList(p, () => {
    const operator = operatorNameAt(p);
    if (operator?.name === 'top-nested') for (let taken = 0; taken < operator.length; taken++) p.take();
    return parseLevel(p);
  });
  return { kind: 'top-nested', levels, span: p.spanFrom(start) };
}

/**
 *     level = [ expression ] "of" named [ "with" "others" "=" expression ] "by" named [ "asc" | "desc" ]
 */
function parseLevel(p: Parser): TopNestedLevel {
  const count = p.at('of') ? undefined : parseExpression(p);
  p.expect('of', 'after the number of values');
  const of = parseNamed(p);
  let withOthers;
  if (p.accept('with') !== undefined) {
    p.expect('others', 'after with');
    p.expect('=', 'after others');
    withOthers = parseExpression(p);
  }
  p.expect('by', 'before the aggregate that ranks the values');
  const by = parseNamed(p);
  const direction = parseDirection(p);
  return { of, by, ...(count && { count }), ...(withOthers && { withOthers }), ...(direction && { direction }) };
}
