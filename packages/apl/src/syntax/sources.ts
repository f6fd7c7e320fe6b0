import type { Expr, TableSource, TypedName } from './ast.js';
import { parseColumn, parseProperties } from './columns.js';
import { parseExpression } from './expressions.js';
import { bracketedList, commaList } from './lists.js';
import { placesLength } from './places.js';
import { hasArgument } from './lookahead.js';
import { parseName, parseNamePattern, parseTypedName } from './names.js';
import type { Parser } from './parser.js';
import { parseArguments } from './primaries.js';

/**
 *     source = pattern | call | "(" pipeline ")" | table | print | range | datatable | externaldata
 *
 * `table`, `print` and the other words are names of datasets unless the following tokens show
 * otherwise.
 */
export function parseSource(p: Parser): TableSource {
  skipPlaces(p);
  const token = p.peek();
  if (p.at('(')) return parseNested(p);
  if (token.kind === 'word') {
    if (p.at('(', 1)) return parseCallLike(p);
    if (token.text === 'print' && !isLoneName(p)) return parsePrint(p);
    if (token.text === 'range' && p.at('from', 2)) return parseRange(p);
    if (/^select$/i.test(token.text) && (p.at('*', 1) || hasArgument(p, 1))) return refuseSelect(p);
  }
  if (token.kind !== 'word' && !p.at('[') && !p.at('*') && token.kind !== 'string') {
    p.reportUnexpected("a dataset, such as ['name']");
    return { kind: 'error', span: p.errorExpr().span };
  }
  const { quoted, ...pattern } = parseNamePattern(p, "a dataset, such as ['name']");
  if (quoted || !pattern.text.includes('.')) return { kind: 'table', pattern, quoted, span: pattern.span };
  const replacement = `['${pattern.text}']`;
  p.error(pattern.span, `a dataset name with a point must be quoted: ${replacement}`, {
    title: 'Quote the name',
    replacement,
  });
  return { kind: 'table', pattern, quoted: true, span: pattern.span };
}

/** `workspace("a").T`, `cluster("a").database("b").T`: here there is one place, so this is `T`. */
function skipPlaces(p: Parser): void {
  const { start } = p.peek();
  const first = p.previousEnd;
  while (placesLength(p, 0) > 0) {
    p.take();
    p.skip();
    p.take();
  }
  if (p.previousEnd === first) return;
  const span = p.spanFrom(start);
  p.warning(span, 'all datasets are in one place here, so this has no effect', { title: 'Remove it', replacement: '' });
}

/** Whether the next word stands alone, as the name of a dataset does. */
export function isLoneName(p: Parser): boolean {
  const token = p.peek(1);
  return token.kind === 'end' || [';', '|', ')', ',', '}'].includes(token.text);
}

/** SQL begins with the columns wanted, this language with the dataset they are in. */
function refuseSelect(p: Parser): TableSource {
  const { start } = p.peek();
  while (!p.atEnd()) p.skip();
  const span = p.spanFrom(start);
  p.error(span, "a query begins with its dataset: ['dataset'] | where … | summarize count() by field");
  return { kind: 'error', span };
}

function parseNested(p: Parser): TableSource {
  const { start } = p.peek();
  const opening = p.open('(', '')!;
  const query = p.withinDepth(
    () => p.withModes({ inLet: false }, () => p.rules.pipeline(p)),
    () => undefined,
  );
  p.close(opening);
  const span = p.spanFrom(start);
  return query === undefined ? { kind: 'error', span } : { kind: 'nested', query, span };
}

function parseCallLike(p: Parser): TableSource {
  const { text, start } = p.peek();
  switch (text) {
    // A watchlist of Sentinel is a dataset of that name here.
    case 'table':
    case '_GetWatchlist':
      return parseTableOf(p);
    case 'datatable':
      return parseDatatable(p);
    case 'externaldata':
      return parseExternaldata(p);
    case 'print':
      return parsePrint(p);
    default: {
      const callee = parseName(p, 'a function');
      const args = parseArguments(p);
      return { kind: 'call', callee, args, span: p.spanFrom(start) };
    }
  }
}

/**
 *     table = ( "table" | "_GetWatchlist" ) "(" expression ")"
 */
function parseTableOf(p: Parser): TableSource {
  const { start } = p.take();
  const opening = p.open('(', '')!;
  const name = parseExpression(p);
  p.close(opening);
  return { kind: 'tableOf', name, span: p.spanFrom(start) };
}

/**
 *     print = "print" named { ( "," | line break ) named }
 */
function parsePrint(p: Parser): TableSource {
  const { start } = p.take();
  return {
    kind: 'print',
    columns: commaList(p, () => p.withModes({ textsStandAlone: 'on lines of their own' }, () => parseColumn(p)), {
      lines: true,
    }),
    span: p.spanFrom(start),
  };
}

/**
 *     range = "range" name "from" expression "to" expression "step" expression
 */
function parseRange(p: Parser): TableSource {
  const { start } = p.take();
  const name = parseName(p, 'a name for the column');
  p.expect('from', 'after the name of the column');
  const from = parseExpression(p);
  p.expect('to', 'before the end of the range');
  const to = parseExpression(p);
  p.expect('step', 'before the step of the range');
  return { kind: 'range', name, from, to, step: parseExpression(p), span: p.spanFrom(start) };
}

/**
 *     datatable = "datatable" schema "[" [ expression { "," expression } [ "," ] ] "]"
 */
function parseDatatable(p: Parser): TableSource {
  const { start } = p.take();
  const columns = parseSchema(p);
  const opening = p.open('[', 'before the values of the table');
  if (opening === undefined) return { kind: 'datatable', columns, cells: [], span: p.spanFrom(start) };
  const cells = p.at(']') ? [] : parseCells(p);
  p.close(opening);
  return { kind: 'datatable', columns, cells, span: p.spanFrom(start) };
}

/**
 *     externaldata = "externaldata" schema "[" STRING { "," STRING } "]" [ "with" "(" option { "," option } ")" ]
 */
function parseExternaldata(p: Parser): TableSource {
  const { start } = p.take();
  const columns = parseSchema(p);
  const opening = p.open('[', 'before the addresses of the files');
  const urls = opening === undefined ? [] : parseCells(p);
  if (opening !== undefined) p.close(opening);
  const options = parseProperties(p);
  return { kind: 'externaldata', columns, urls, options, span: p.spanFrom(start) };
}

/**
 *     schema = "(" name ":" type { "," name ":" type } ")"
 */
function parseSchema(p: Parser): readonly TypedName[] {
  const opening = p.open('(', 'before the columns: (name: type, …)');
  return opening === undefined
    ? []
    : bracketedList(p, opening, () => parseTypedName(p, 'a column: name: type'), { trailing: ')' });
}

function parseCells(p: Parser): readonly Expr[] {
  return p.withModes({ inLet: false }, () => commaList(p, () => parseExpression(p), { trailing: ']' }));
}
