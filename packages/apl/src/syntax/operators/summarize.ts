import type { NamedExpr, Operator } from '../ast.js';
import { parseColumns } from '../columns.js';
import type { Parser } from '../parser.js';

/**
 *     summarize = "summarize" ( columns [ "by" columns ] | "by" columns )
 */
export function parseSummarize(p: Parser, start: number): Operator {
  const end = p.previousEnd;
  const aggregates = p.atOperatorEnd() || isKeywordBy(p) ? [] : parseColumns(p, ['by']);
  reportBareCount(p, aggregates);
  const by = parseBy(p);
  if (p.previousEnd === end) p.unexpected('an aggregate or by, as in summarize count() by field');
  return { kind: 'summarize', aggregates, by, span: p.spanFrom(start) };
}

/** `by`, unless it is the name of a column: `summarize by = count()`. */
const isKeywordBy = (p: Parser): boolean => p.at('by') && !p.at('=', 1);

/**
 *     by = [ "by" columns ]
 */
export function parseBy(p: Parser, ends: readonly string[] = []): readonly NamedExpr[] {
  return p.accept('by') === undefined ? [] : parseColumns(p, ends);
}

function reportBareCount(p: Parser, aggregates: readonly NamedExpr[]): void {
  for (const { value } of aggregates) {
    if (value.kind !== 'name' || value.name.quoted || value.name.text !== 'count') continue;
    p.error(value.span, 'the number of rows is written count()', { title: 'Write count()', replacement: 'count()' });
  }
}
