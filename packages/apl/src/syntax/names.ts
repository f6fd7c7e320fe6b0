import type { Name, NamePattern, Span, TypedName, TypeName } from './ast.js';
import type { Parser } from './parser.js';
import { escapeStars, segmentsOf } from './stars.js';
import type { Token } from './lexing/tokens.js';

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
  ['guid', 'string'],
  ['decimal', 'real'],
]);

/**
 * How many tokens the name that begins `ahead` tokens on takes; undefined when none begins there.
 */
export function nameLength(p: Parser, ahead = 0): number | undefined {
  if (p.peek(ahead).kind === 'word') return 1;
  return p.at('[', ahead) && p.peek(ahead + 1).kind === 'string' && p.at(']', ahead + 2) ? 3 : undefined;
}

/**
 *     name = WORD | "[" STRING "]"
 *
 * When there is none, it reports that `what` was expected and returns an empty name.
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
    return { text, quoted: true, span: p.spanFrom(token.start) };
  }
  if (token.kind === 'string') {
    const fix = { title: 'Put the name in brackets', replacement: `[${token.text}]` };
    p.reportUnexpected(`${what}; a quoted name has brackets: ['name']`, fix);
    p.take();
    return { text: String(token.value), quoted: true, span: p.spanFrom(token.start) };
  }
  p.reportUnexpected(what);
  return { text: '', quoted: false, span: p.errorExpr().span };
}

/**
 *     dotted-name = name { "." name }
 *
 * `geo.city` is the field `geo.city` where an operator takes names, not expressions.
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
 * Digits may follow a star, a point or a dash: `*1`. A dash is read as part of an unquoted name,
 * and reported.
 */
export function parseNamePattern(p: Parser, what: string): NamePattern & { readonly quoted: boolean } {
  const { start } = p.peek();
  let text = '';
  let wildcard = false;
  let quoted = false;
  let dashed = false;
  // A name may follow a point, a dash or a star, but not another name.
  const hasStarted = (): boolean => p.previousEnd > start;
  for (let joined = true; !hasStarted() || p.adjacent();) {
    const { kind } = p.peek();
    if (p.at('*')) {
      text += p.take().text;
      wildcard = true;
      joined = true;
    } else if (joined && (nameLength(p) !== undefined || kind === 'string')) {
      const name = parseName(p, what);
      text += name.quoted ? escapeStars(name.text) : name.text;
      quoted ||= name.quoted;
      joined = false;
    } else if (joined && hasStarted() && isNumber(kind)) {
      text += p.take().text;
      joined = false;
    } else if (hasStarted() && p.at('.') && nameGoesOn(p)) {
      text += p.take().text;
      joined = true;
    } else if (hasStarted() && p.at('-') && nameGoesOn(p)) {
      text += p.take().text;
      dashed = true;
      joined = true;
    } else break;
  }
  const span = p.spanFrom(start);
  if (!hasStarted()) return { text, wildcard, quoted, span: parseName(p, what).span };
  if (dashed) {
    const replacement = quotePattern(text);
    p.error(span, `a name with a dash must be quoted: ${replacement}`, { title: 'Quote the name', replacement });
  }
  return { text: wildcard ? text : segmentsOf(text).join('*'), wildcard, quoted, span };
}

const isNumber = (kind: Token['kind']): boolean => kind === 'long' || kind === 'real' || kind === 'timespan';

/** Whether the token after the next one continues a name, with no blank before it. */
const nameGoesOn = (p: Parser): boolean =>
  p.adjacent(1) && (nameLength(p, 1) !== undefined || p.at('*', 1) || isNumber(p.peek(1).kind));

/** `logs-*` → `['logs-']*` */
function quotePattern(text: string): string {
  return segmentsOf(text)
    .map((segment) => (segment === '' ? segment : quoteName(segment)))
    .join('*');
}

/** A name in brackets and quotes, always on one line: line breaks in it are escaped. */
export const quoteName = (text: string): string =>
  `['${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}']`;

/** The dotted name that the steps of a path spell. */
export const spelling = (path: readonly Name[]): string => path.map(({ text }) => text).join('.');

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
    p.reportUnexpected('a type such as string, long or datetime');
    return 'dynamic';
  }
  p.take();
  const span: Span = p.spanFrom(token.start);
  const meant = FOREIGN_TYPES.get(token.text.toLowerCase()) ?? p.findNearest(token.text, typeNames.keys());
  const list = 'bool, long, real, string, datetime, timespan and dynamic';
  if (meant === undefined) p.error(span, `${token.text} is no type; there are ${list}`);
  else {
    const fix = { title: `Write ${meant}`, replacement: meant };
    p.error(span, `${token.text} is no type; there are ${list}; did you mean ${meant}?`, fix);
  }
  return (meant === undefined ? undefined : typeNames.get(meant)) ?? 'dynamic';
}

const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map([
  ['integer', 'long'],
  ['bigint', 'long'],
  ['number', 'real'],
  ['float', 'real'],
  ['text', 'string'],
  ['str', 'string'],
  ['varchar', 'string'],
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
  const type = typeWithoutColon(p, name) ?? (p.accept(':') === undefined ? undefined : parseType(p));
  return type === undefined ? { name } : { name, type };
}

/** The type in `name type`, which is reported; undefined if no type follows directly. */
export function typeWithoutColon(p: Parser, { span: { start, end } }: Name): TypeName | undefined {
  const { kind, text } = p.peek();
  const type = kind === 'word' ? (FOREIGN_TYPES.get(text.toLowerCase()) ?? text) : '';
  if (!typeNames.has(type)) return undefined;
  p.take();
  const replacement = `${p.text.slice(start, end)}: ${type}`;
  p.error(p.spanFrom(start), `a type follows a colon: ${replacement}`, { title: `Write ${replacement}`, replacement });
  return typeNames.get(type);
}
