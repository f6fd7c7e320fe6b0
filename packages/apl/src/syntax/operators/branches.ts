import type { Operator } from '../ast.js';
import { parseColumns } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { skipHints } from '../hints/hints.js';
import { nameLength, parseName } from '../names.js';
import type { Parser } from '../parser.js';

/**
 *     body = "(" operators ")"
 */
function parseBody(p: Parser, of: string): readonly Operator[] {
  const opening = p.open('(', `before the operators of ${of}`);
  if (opening === undefined) return [];
  const body = p.withinDepth(
    () => p.rules.operators(p),
    () => [],
  );
  p.close(opening);
  return body;
}

/**
 *     partition = "partition" "by" expression body
 */
export function parsePartition(p: Parser, start: number): Operator {
  skipHints(p);
  p.expect('by', 'after partition');
  const by = p.peek().kind === 'word' && p.at('(', 1) && !p.adjacent(1) ? nameExpr(p) : parseExpression(p);
  return { kind: 'partition', by, body: parseBody(p, 'partition'), span: p.spanFrom(start) };
}

/** A column before the brackets of the operators, which would otherwise be those of a call. */
function nameExpr(p: Parser): Extract<Operator, { kind: 'partition' }>['by'] {
  const name = parseName(p, 'a column');
  return { kind: 'name', name, span: name.span };
}

/**
 *     fork = "fork" { [ name "=" ] body }
 */
export function parseFork(p: Parser, start: number): Operator {
  type Branch = Extract<Operator, { kind: 'fork' }>['branches'][number];
  const branches: Branch[] = [];
  for (let at = -1; at < p.previousEnd && !p.atOperatorEnd();) {
    at = p.previousEnd;
    const length = nameLength(p);
    const name = length !== undefined && p.at('=', length) ? parseName(p, 'a name') : undefined;
    if (name !== undefined) p.take();
    const body = parseBody(p, 'fork');
    branches.push(name === undefined ? { body } : { name, body });
    if (!p.at('(') && nameLength(p) === undefined) break;
  }
  if (branches.length === 0) p.reportUnexpected('the operators of a branch in brackets: fork (…) (…)');
  return { kind: 'fork', branches, span: p.spanFrom(start) };
}

/**
 *     facet = "facet" "by" columns [ "with" body ]
 */
export function parseFacet(p: Parser, start: number): Operator {
  p.expect('by', 'after facet');
  const columns = parseColumns(p, ['with']);
  const body = p.accept('with') === undefined ? undefined : parseBody(p, 'facet');
  return { kind: 'facet', columns, ...(body && { body }), span: p.spanFrom(start) };
}
