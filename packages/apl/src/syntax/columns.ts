import type { Expr, NamedExpr, Name, Option, SortKey } from './ast.js';
import { parseExpression } from './expressions.js';
import { commaList } from './lists.js';
import { nameLength, parseName, quoteName } from './names.js';
import type { Parser } from './parser.js';

/**
 *     named = [ ( name | STRING ) "=" ] expression
 */
export function parseNamed(p: Parser): NamedExpr {
  const { start } = p.peek();
  if (isTupleNext(p)) p.error(parseTuple(p).span, 'a value here has one name: name = value');
  const name = parseAssignedName(p);
  const value = parseExpression(p);
  if (name === undefined && (p.at('as') || p.at('AS'))) return parseAlias(p, value);
  // The span of a missing value lies at the end of the token before, which may be before `start`.
  const span = p.spanFrom(Math.min(start, value.span.start));
  return name === undefined ? { value, span } : { name, value, span };
}

/** `(a, b) = `, which names several values of one call. */
function isTupleNext(p: Parser): boolean {
  const closing = p.at('(') && nameLength(p, 1) !== undefined ? p.closingOf() : undefined;
  return closing !== undefined && p.at('=', closing + 1);
}

function parseTuple(p: Parser): NamedExpr {
  const opening = p.open('(', '')!;
  const { start } = opening.token;
  const names = commaList(p, () => parseName(p, 'a name'));
  p.close(opening);
  p.take();
  const value = parseExpression(p);
  return { names, value, span: p.spanFrom(start) };
}

/** `expression as name`: SQL's way to name a column. */
function parseAlias(p: Parser, value: Expr): NamedExpr {
  p.take();
  const name = parseName(p, 'a name');
  const span = p.spanFrom(value.span.start);
  const written = p.text.slice(value.span.start, value.span.end);
  const replacement = `${p.text.slice(name.span.start, name.span.end)} = ${written}`;
  const message = 'a column is named before its value: name = value';
  p.error(span, message, { title: 'Put the name first', replacement });
  return { name, value, span };
}

/**
 *     column = named | "(" name { "," name } ")" "=" expression
 */
export const parseColumn = (p: Parser): NamedExpr => (isTupleNext(p) ? parseTuple(p) : parseNamed(p));

/**
 *     columns = column { "," column }
 */
export function parseColumns(p: Parser, ends: readonly string[] = []): readonly NamedExpr[] {
  return commaList(p, () => parseColumn(p), { ends });
}

/** Takes a name and the `=` after it, if they are next. */
function parseAssignedName(p: Parser): Name | undefined {
  const token = p.peek();
  if (token.kind === 'string' && p.at('=', 1)) {
    p.take();
    p.take();
    return { text: String(token.value), quoted: true, span: { start: token.start, end: token.end } };
  }
  const length = nameLength(p);
  if (length === undefined) return undefined;
  if (p.at('=', length)) {
    const name = parseName(p, 'a name');
    p.take();
    return name;
  }
  return parseUnquotedTarget(p, length);
}

/** `geo.city = …` and `my-name = …`: a new column with such a name must be quoted. */
function parseUnquotedTarget(p: Parser, firstLength: number): Name | undefined {
  let length = firstLength;
  while (p.at('.', length) || (p.at('-', length) && p.adjacent(length) && p.adjacent(length + 1))) {
    const next = nameLength(p, length + 1);
    if (next === undefined) return undefined;
    length += 1 + next;
  }
  if (length === firstLength || !p.at('=', length)) return undefined;
  const { start } = p.peek();
  let text = '';
  for (const end = p.peek(length); p.peek() !== end;) {
    const token = p.take();
    if (token.kind === 'string') text += String(token.value);
    else if (token.text !== '[' && token.text !== ']') text += token.text;
  }
  const span = p.spanFrom(start);
  const replacement = quoteName(text);
  p.error(span, `a column name with a point or dash must be quoted: ${replacement}`, {
    title: 'Quote the name',
    replacement,
  });
  p.take();
  return { text, quoted: true, span };
}

/**
 *     key = expression [ "asc" | "desc" ] [ "nulls" ( "first" | "last" ) ]
 */
export function parseSortKey(p: Parser): SortKey {
  const value = parseExpression(p);
  const direction = parseDirection(p);
  const nulls = parseNulls(p);
  return { value, ...(direction && { direction }), ...(nulls && { nulls }) };
}

export function parseDirection(p: Parser): 'asc' | 'desc' | undefined {
  const token = p.peek();
  const word = token.kind === 'word' ? DIRECTIONS.get(token.text.toLowerCase()) : undefined;
  if (word === undefined) return undefined;
  p.take();
  if (word !== token.text) {
    p.error(p.spanFrom(token.start), `${token.text} is written ${word}`, {
      title: `Write ${word}`,
      replacement: word,
    });
  }
  return word;
}

const DIRECTIONS: ReadonlyMap<string, 'asc' | 'desc'> = new Map([
  ['asc', 'asc'],
  ['ascending', 'asc'],
  ['desc', 'desc'],
  ['descending', 'desc'],
  ['dsc', 'desc'],
]);

function parseNulls(p: Parser): 'first' | 'last' | undefined {
  if (p.accept('nulls') === undefined) return undefined;
  if (p.accept('first') !== undefined) return 'first';
  if (p.accept('last') !== undefined) return 'last';
  p.reportUnexpected('first or last after nulls');
  return undefined;
}

/**
 *     option = WORD "=" expression
 */
function parseOption(p: Parser): Option {
  const name = parseName(p, 'an option such as name=value');
  p.expect('=', 'after the name of an option');
  return { name, value: parseExpression(p) };
}

/**
 *     properties = [ "with" ( "(" option { "," option } ")" | option { "," option } ) ]
 */
export function parseProperties(p: Parser): readonly Option[] {
  if (p.accept('with') === undefined) return [];
  if (!p.at('(')) return commaList(p, () => parseOption(p));
  const opening = p.open('(', 'after with')!;
  const options = p.at(')') ? [] : commaList(p, () => parseOption(p));
  p.close(opening);
  return options;
}

/**
 * Properties, or options without `with`, as older queries have them: `render timechart kind=stacked
 * title="a"`.
 */
export function parseTrailingOptions(p: Parser): readonly Option[] {
  const options: Option[] = [];
  while (p.peek().kind === 'word' && p.at('=', 1)) {
    options.push(parseOption(p));
    p.accept(',');
  }
  return options.length === 0 ? parseProperties(p) : options;
}
