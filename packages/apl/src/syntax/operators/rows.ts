import type { Operator } from '../ast.js';
import { parseColumns } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { parseName } from '../names.js';
import type { Parser } from '../parser.js';

/**
 *     where = "where" expression
 */
export function parseWhere(p: Parser, start: number): Operator {
  const predicate = parseExpression(p);
  return { kind: 'where', predicate, span: p.spanFrom(start) };
}

/**
 *     distinct = "distinct" columns
 */
export function parseDistinct(p: Parser, start: number): Operator {
  if (p.at('by') && p.peek(1).kind === 'word') {
    const span = p.spanFrom(p.take().start);
    p.error(span, `distinct takes the columns alone: distinct ${p.peek().text}`, {
      title: 'Remove by',
      replacement: '',
    });
  }
  const columns = parseColumns(p);
  return { kind: 'distinct', columns, span: p.spanFrom(start) };
}

/**
 *     count = "count" [ "as" name ]
 */
export function parseCount(p: Parser, start: number): Operator {
  if (p.at('(')) {
    const fix = { title: 'Write count', replacement: 'count' };
    const empty = p.closingOf() === 1;
    const end = p.peek(empty ? 1 : 0).end;
    const message = 'the operator count has no arguments; the function is used in summarize: summarize count()';
    p.error({ start, end }, message, empty ? fix : undefined);
    p.skipTo();
  } else if (p.at('by')) {
    const fix = { title: 'Write summarize count()', replacement: 'summarize count() by' };
    p.error({ start, end: p.peek().end }, 'rows are counted by group with summarize count() by …', fix);
    p.skipTo();
  }
  const name = p.accept('as') === undefined ? undefined : parseName(p, 'a name for the column');
  return { kind: 'count', ...(name && { name }), span: p.spanFrom(start) };
}

/**
 *     getschema = "getschema"
 */
export function parseGetschema(p: Parser, start: number): Operator {
  return { kind: 'getschema', span: p.spanFrom(start) };
}

/**
 *     take = "take" expression
 */
export function parseTake(p: Parser, start: number): Operator {
  requireNumber(p, 'take');
  const count = parseExpression(p);
  if (p.at(',')) {
    const advice = 'rows cannot be skipped: sort, and ask only for those behind the last one with where';
    p.error(p.here(), `take and limit take one number; ${advice}`);
    p.skipTo();
  }
  return { kind: 'take', count, span: p.spanFrom(start) };
}

function requireNumber(p: Parser, name: 'take' | 'sample'): void {
  if (p.atOperatorEnd()) p.error(p.here(), `${name} takes the number of rows, as in ${name} 10`);
}

/**
 *     limit = "limit" [ expression ]
 */
export function parseLimit(p: Parser, start: number): Operator {
  if (p.at('by')) {
    p.error(p.here(), 'limit takes a number alone, as in limit 5; the greatest by a column are top 5 by a');
    p.skipTo();
  }
  return p.atOperatorEnd() ? { kind: 'take', span: p.spanFrom(start) } : parseTake(p, start);
}

/**
 *     sample = "sample" expression
 */
export function parseSample(p: Parser, start: number): Operator {
  requireNumber(p, 'sample');
  const fraction = parseExpression(p);
  return { kind: 'sample', fraction, span: p.spanFrom(start) };
}

/**
 *     sample-distinct = "sample-distinct" expression [ "of" columns ]
 */
export function parseSampleDistinct(p: Parser, start: number): Operator {
  const count = parseExpression(p);
  const columns = p.accept('of') === undefined ? undefined : parseColumns(p);
  return { kind: 'sample-distinct', count, ...(columns && { columns }), span: p.spanFrom(start) };
}

/**
 *     as = "as" name
 */
export function parseAs(p: Parser, start: number): Operator {
  const name = parseName(p, 'a name for the table');
  return { kind: 'as', name, span: p.spanFrom(start) };
}

/**
 *     serialize = "serialize" [ columns ]
 */
export function parseSerialize(p: Parser, start: number): Operator {
  const columns = p.atOperatorEnd() ? [] : parseColumns(p);
  return { kind: 'serialize', columns, span: p.spanFrom(start) };
}
