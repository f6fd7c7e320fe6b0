import type { NamedExpr, Name, Operator, TypeName, Expr } from '../ast.js';
import { parseChoice, parseNameOption } from '../choices.js';
import { parseNamed } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { commaList } from '../lists.js';
import { parseType } from '../names.js';
import type { Parser } from '../parser.js';

const EXPANSIONS = new Map([
  ['array', false],
  ['bag', true],
]);

type ExpandedColumn = NamedExpr & { readonly to?: TypeName };

interface Options {
  readonly bag: boolean;
  /** Whether the query says which kind. */
  readonly kindGiven?: true;
  readonly itemIndex?: Name;
}

/**
 *     mv-expand = "mv-expand" { option } column { "," column } [ "limit" expression ]
 *     option    = ( "kind" | "bagexpansion" ) "=" ( "bag" | "array" ) | "with_itemindex" "=" name
 */
export function parseMvExpand(p: Parser, start: number): Operator {
  const options = parseOptions(p);
  const columns = commaList(p, () => parseExpandedColumn(p), { ends: ['limit'] });
  const limit = parseRowLimit(p);
  return { kind: 'mv-expand', ...options, columns, ...(limit && { limit }), span: p.spanFrom(start) };
}

/**
 *     mv-apply = "mv-apply" { option } column { "," column } [ "limit" expression ] "on" "(" operators ")"
 */
export function parseMvApply(p: Parser, start: number): Operator {
  const { bag, itemIndex } = parseOptions(p);
  const columns = commaList(p, () => parseExpandedColumn(p), { ends: ['limit', 'on'] });
  const limit = parseRowLimit(p);
  p.expect('on', 'before the operators of mv-apply');
  const opening = p.open('(', 'before the operators of mv-apply');
  const body =
    opening === undefined
      ? []
      : p.withinDepth(
          () => p.rules.operators(p),
          () => [],
        );
  if (opening !== undefined) p.close(opening);
  return {
    kind: 'mv-apply',
    bag,
    columns,
    ...(itemIndex && { itemIndex }),
    ...(limit && { limit }),
    body,
    span: p.spanFrom(start),
  };
}

function parseOptions(p: Parser): Options {
  let bag: boolean | undefined;
  let itemIndex: Name | undefined;
  for (;;) {
    const before = p.peek();
    bag = parseChoice(p, 'kind', EXPANSIONS) ?? parseChoice(p, 'bagexpansion', EXPANSIONS) ?? bag;
    itemIndex = parseNameOption(p, 'with_itemindex') ?? itemIndex;
    if (p.peek() === before)
      return { bag: bag === true, ...(bag !== undefined && { kindGiven: true }), ...(itemIndex && { itemIndex }) };
  }
}

/**
 *     column = named [ "to" "typeof" "(" type ")" ]
 */
function parseExpandedColumn(p: Parser): ExpandedColumn {
  const named = parseNamed(p);
  if (p.accept('to') === undefined) return named;
  p.expect('typeof', 'after to: to typeof(string)');
  const opening = p.open('(', 'after typeof');
  if (opening === undefined) return named;
  const to = parseType(p);
  p.close(opening);
  return { ...named, to, span: p.spanFrom(named.span.start) };
}

function parseRowLimit(p: Parser): Expr | undefined {
  return p.accept('limit') === undefined ? undefined : parseExpression(p);
}
