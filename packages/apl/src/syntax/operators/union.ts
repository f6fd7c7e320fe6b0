import type { Name, NamedExpr, NamePattern, Operator, SearchedDatasets } from '../ast.js';
import { parseChoice, parseNameOption } from '../choices.js';
import { parseColumns } from '../columns.js';
import { parseExpression } from '../expressions.js';
import { bracketedList, commaList } from '../lists.js';
import { parseNamePattern } from '../names.js';
import type { Parser } from '../parser.js';
import { parseTable } from './join.js';

const UNION_KINDS = new Map([
  ['outer', false],
  ['inner', true],
]);

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/**
 *     union  = "union" { option } table { "," table }
 *     option = "withsource" "=" name | "kind" "=" ( "outer" | "inner" ) | "isfuzzy" "=" ( "true" | "false" )
 */
export function parseUnion(p: Parser, start: number): Operator {
  let withSource: Name | undefined;
  let isInner = false;
  for (;;) {
    const before = p.peek();
    withSource = parseNameOption(p, 'withsource', 'with_source') ?? withSource;
    isInner = parseChoice(p, 'kind', UNION_KINDS) ?? isInner;
    parseChoice(p, 'isfuzzy', BOOLEANS);
    if (p.peek() === before) break;
  }
  const tables = commaList(p, () => parseTable(p));
  return {
    kind: 'union',
    ...(withSource && { withSource }),
    ...(isInner && { inner: true }),
    tables,
    span: p.spanFrom(start),
  };
}

const SEARCH_KINDS = new Map([
  ['case_sensitive', true],
  ['case_insensitive', false],
  ['default', false],
]);

/**
 *     search = "search" [ "kind" "=" word ] [ "in" "(" pattern { "," pattern } ")" ] expression
 */
export function parseSearch(p: Parser, start: number): Operator {
  let caseSensitive = parseChoice(p, 'kind', SEARCH_KINDS);
  const within = parseSearchedDatasets(p);
  caseSensitive ??= parseChoice(p, 'kind', SEARCH_KINDS) ?? false;
  const predicate = p.withModes({ inSearch: true, textsStandAlone: 'always' }, () => parseExpression(p));
  if (p.peek().kind === 'string') {
    const fix = { title: 'Write and', replacement: `and ${p.peek().text}` };
    p.error(p.here(), 'terms are joined by and or or', fix);
    p.skipTo();
  }
  return { kind: 'search', caseSensitive, ...(within && { within }), predicate, span: p.spanFrom(start) };
}

function parseSearchedDatasets(p: Parser): SearchedDatasets | undefined {
  const { start } = p.peek();
  if (!p.at('in') || !p.at('(', 1)) return undefined;
  p.take();
  const opening = p.open('(', '')!;
  const datasets = bracketedList(p, opening, (): NamePattern => {
    const { text, wildcard, span } = parseNamePattern(p, "a dataset, such as ['name']");
    return { text, wildcard, span };
  });
  return { datasets, span: p.spanFrom(start) };
}

/**
 *     find = "find" [ "withsource" "=" name ] [ "in" "(" pattern { "," pattern } ")" ] [ "where" ] expression [ "project" columns ]
 */
export function parseFind(p: Parser, start: number): Operator {
  const withSource = parseNameOption(p, 'withsource');
  const within = parseSearchedDatasets(p);
  p.accept('where');
  const predicate = p.withModes({ inSearch: true }, () => parseExpression(p));
  let columns: readonly NamedExpr[] | undefined;
  if (p.at('project') && !p.at('-', 1)) {
    p.take();
    columns = parseColumns(p);
  } else if (p.at('project') && p.at('smart', 2)) for (let taken = 0; taken < 3; taken++) p.take();
  return {
    kind: 'find',
    ...(withSource && { withSource }),
    ...(within && { within }),
    predicate,
    ...(columns && { columns }),
    span: p.spanFrom(start),
  };
}
