import type { NamedExpr, Operator } from '../ast.js';
import { parseColumn, parseColumns } from '../columns.js';
import { foreignClauses } from '../hints/foreign-clauses.js';
import { commaList } from '../lists.js';
import { parseName } from '../names.js';
import type { Parser } from '../parser.js';

/**
 *     summarize = "summarize" ( columns [ "by" columns ] | "by" columns )
 */
export function parseSummarize(p: Parser, start: number): Operator {
  const end = p.previousEnd;
  const aggregates =
    p.atOperatorEnd() || isKeywordBy(p) ? [] : commaList(p, () => withBrackets(p, parseColumn(p)), { ends: ['by'] });
  reportBareCount(p, aggregates);
  const by = parseBy(p);
  if (p.previousEnd === end) p.reportUnexpected('an aggregate or by, as in summarize count() by field');
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

/** `avg duration`, a call without brackets, is reported and read as the call. */
function withBrackets(p: Parser, column: NamedExpr): NamedExpr {
  const { value } = column;
  const { kind, text, startsLine } = p.peek();
  if (value.kind !== 'name' || value.name.quoted || kind !== 'word' || startsLine || NEXT.has(text)) return column;
  const argument = parseName(p, 'a field');
  const span = p.spanFrom(value.span.start);
  const replacement = `${value.name.text}(${text})`;
  p.error(span, `a call has brackets: ${replacement}`, { title: `Write ${replacement}`, replacement });
  const args = [{ value: { kind: 'name', name: argument, span: argument.span } }] as const;
  return {
    ...column,
    value: { kind: 'call', callee: value.name, args, span },
    span: p.spanFrom(column.span.start),
  };
}

/** Words that follow a column in other ways, or are reported as something else. */
const NEXT: ReadonlySet<string> = new Set(['by', 'as', ...foreignClauses.keys()]);

function reportBareCount(p: Parser, aggregates: readonly NamedExpr[]): void {
  for (const { value } of aggregates) {
    if (value.kind !== 'name' || value.name.quoted || value.name.text !== 'count') continue;
    p.error(value.span, 'the number of rows is written count()', { title: 'Write count()', replacement: 'count()' });
  }
}
