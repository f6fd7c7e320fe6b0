import type { Name, NamePattern, Span, TypedName, TypeName } from './ast.js';
import type { Parser } from './parser.js';
import { nearest } from './suggestions.js';

/** Type names and their synonyms. */
export const typeNames: ReadonlyMap<string, TypeName> = new Map([
  ['bool', 'bool'],
  ['boolean', 'bool'],
  ['long', 'long'],
  ['int', 'long'],
  ['real', 'real'],
  ['double', 'real'],
  ['string', 'string'],
  ['datetime', 'datetime'],
  ['date', 'datetime'],
  ['timespan', 'timespan'],
  ['time', 'timespan'],
  ['dynamic', 'dynamic'],
]);

/** Whether a name begins `ahead` tokens on; if so, how many tokens it takes. */
export function nameLength(p: Parser, ahead = 0): number | undefined {
  if (p.peek(ahead).kind === 'word') return 1;
  return p.at('[', ahead) && p.peek(ahead + 1).kind === 'string' && p.at(']', ahead + 2) ? 3 : undefined;
}

/**
 *     name = WORD | "[" STRING "]"
 *
 * Without one it reports that `what` was expected and gives an empty name.
 */
export function parseName(p: Parser, what: string): Name {
  const token = p.peek();
  if (token.kind === 'word') {
    p.take();
    return { text: token.text, quoted: false, span: { start: token.start, end: token.end } };
  }
  if (nameLength(p) === 3) {
    p.take();
    const text = String(p.take().value);
    p.take();
    const span = p.spanFrom(token.start);
    if (text === '') p.error(span, 'A name cannot be empty.', undefined, 'name');
    return { text, quoted: true, span };
  }
  if (token.kind === 'string') {
    const fix = { title: 'Put the name in brackets', replacement: `[${token.text}]` };
    p.unexpected(`${what}; a quoted name has brackets: ['name']`, fix);
    p.take();
    return { text: String(token.value), quoted: true, span: p.spanFrom(token.start) };
  }
  p.unexpected(what);
  return { text: '', quoted: false, span: p.errorExpr().span };
}

/**
 *     dotted-name = name { "." name }
 *
 * `geo.city` stands for the field `geo.city` where an operator takes names, not expressions.
 */
export function parseDottedName(p: Parser, what: string): Name {
  const first = parseName(p, what);
  let { text } = first;
  while (p.at('.') && nameLength(p, 1) !== undefined) {
    p.take();
    text += `.${parseName(p, what).text}`;
  }
  return { ...first, text, span: p.spanFrom(first.span.start) };
}

/**
 *     pattern = part { part }     (without blanks between)
 *     part    = "*" | "." | name
 *
 * A dash is taken for part of an unquoted name, and reported.
 */
export function parseNamePattern(p: Parser, what: string): NamePattern & { readonly quoted: boolean } {
  const { start } = p.peek();
  let text = '';
  let wildcard = false;
  let quoted = false;
  let dashed = false;
  for (let first = true; first || p.adjacent(); first = false) {
    const length = nameLength(p);
    if (p.at('*')) {
      p.take();
      text += '*';
      wildcard = true;
    } else if (length === 3 || (length === 1 && first) || (length === 1 && !endsInWord(text))) {
      const name = parseName(p, what);
      text += name.quoted ? name.text.replaceAll('*', '\\*') : name.text;
      quoted ||= name.quoted;
    } else if (!first && p.at('.') && p.adjacent(1) && (nameLength(p, 1) !== undefined || p.at('*', 1))) {
      text += p.take().text;
    } else if (!first && p.at('-') && p.adjacent(1) && isNamePart(p, 1)) {
      text += p.take().text;
      dashed = true;
    } else if (dashed && isNamePart(p, 0)) {
      text += p.take().text;
    } else break;
  }
  const span = p.spanFrom(start);
  if (text === '') parseName(p, what);
  else if (dashed) {
    const replacement = quotePattern(text);
    p.error(span, `A name with a dash must be quoted: ${replacement}.`, { title: 'Quote the name', replacement });
  }
  return { text, wildcard, quoted, span: text === '' ? p.errorExpr().span : span };
}

const endsInWord = (text: string): boolean => /[\w$]$/.test(text);

function isNamePart(p: Parser, ahead: number): boolean {
  const { kind } = p.peek(ahead);
  return kind === 'word' || kind === 'long' || kind === 'real' || kind === 'timespan' || p.at('*', ahead);
}

/** `logs-*` → `['logs-']*` */
function quotePattern(text: string): string {
  return text
    .split(/(\*)/)
    .map((part) => (part === '*' || part === '' ? part : quoteName(part)))
    .join('');
}

export const quoteName = (text: string): string => `['${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;

/**
 *     type = "bool" | "long" | "real" | "string" | "datetime" | "timespan" | "dynamic"     (and synonyms)
 */
export function parseType(p: Parser): TypeName {
  const token = p.peek();
  const type = token.kind === 'word' ? typeNames.get(token.text) : undefined;
  if (type !== undefined) {
    p.take();
    return type;
  }
  if (token.kind !== 'word') {
    p.unexpected('a type such as string, long or datetime');
    return 'dynamic';
  }
  p.take();
  const span: Span = p.spanFrom(token.start);
  const meant = FOREIGN_TYPES.get(token.text.toLowerCase()) ?? nearest(token.text, typeNames.keys());
  const list = 'bool, long, real, string, datetime, timespan and dynamic';
  if (meant === undefined) p.error(span, `${token.text} is no type; there are ${list}.`);
  else {
    const fix = { title: `Write ${meant}`, replacement: meant };
    p.error(span, `${token.text} is no type; did you mean ${meant}? There are ${list}.`, fix);
  }
  return (meant === undefined ? undefined : typeNames.get(meant)) ?? 'dynamic';
}

const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ['integer', 'long'],
  ['bigint', 'long'],
  ['number', 'real'],
  ['float', 'real'],
  ['decimal', 'real'],
  ['text', 'string'],
  ['str', 'string'],
  ['varchar', 'string'],
  ['guid', 'string'],
  ['timestamp', 'datetime'],
  ['duration', 'timespan'],
  ['json', 'dynamic'],
  ['array', 'dynamic'],
  ['object', 'dynamic'],
  ['map', 'dynamic'],
]);

/**
 *     typed-name = name [ ":" type ]
 */
export function parseTypedName(p: Parser, what: string): TypedName {
  const name = parseName(p, what);
  return p.accept(':') === undefined ? { name } : { name, type: parseType(p) };
}
