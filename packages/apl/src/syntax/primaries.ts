import type { Argument, CallExpr, Expr, Name, Span } from './ast.js';
import { infixOperators } from './infix-operators.js';
import { bracketedList } from './lists.js';
import { parseTypedLiteral, isTypedLiteral } from './literals.js';
import { hasArgument, isPipelineNext } from './lookahead.js';
import { nameLength, parseName, parseType } from './names.js';
import { oldFunctionNames } from './hints/old-names.js';
import type { Parser } from './parser.js';
import { scaleToNanoseconds, timespanUnits } from './lexing/timespan.js';
import type { Token } from './lexing/tokens.js';
import { MAX_LONG } from '../model/int64.js';

/**
 *     primary = atom { "." name | [ "." ] "[" expression "]" | "[" "*" "]" }
 */
export function parsePrimary(p: Parser): Expr {
  let object = parseAtom(p);
  // A null literal of type dynamic may be an object, so members of it can be read.
  const isScalar = object.kind === 'literal' && object.type !== 'dynamic';
  if (isScalar || object.kind === 'error' || object.kind === 'star') return object;
  for (;;) {
    const start: number = object.span.start;
    if (p.at('.')) {
      const point = p.take();
      // As Kusto writes it: `a.[0]`.
      if (p.at('[') && p.adjacent() && nameLength(p) === undefined && p.closingOf() !== undefined) {
        object = parseIndex(p, object);
        continue;
      }
      if (p.peek().kind === 'long') {
        const { text } = p.take();
        const fix = { title: `Write [${text}]`, replacement: `[${text}]` };
        p.error(p.spanFrom(point.start), `an element is read with square brackets: [${text}]`, fix);
        continue;
      }
      const member = parseName(p, 'a name after the point');
      object = { kind: 'member', object, member, span: p.spanFrom(start) };
    } else if (p.at('[') && !(p.inLet && p.peek().startsLine)) {
      object = parseIndex(p, object);
    } else return object;
  }
}

function parseIndex(p: Parser, object: Expr): Expr {
  const { start } = object.span;
  const opening = p.open('[', '')!;
  if (p.at('*') && p.at(']', 1)) {
    p.take();
    p.close(opening);
    return { kind: 'spread', object, span: p.spanFrom(start) };
  }
  const index = p.withModes({ inDynamic: false, inLet: false, inSearch: false }, () => p.rules.expression(p));
  if (p.at(':') || p.at('..')) {
    p.error(p.here(), 'slices of an array are taken with array_slice(array, start, end)');
    p.skipTo(']');
  }
  p.close(opening);
  return { kind: 'index', object, index, span: p.spanFrom(start) };
}

/**
 *     atom = literal | name | call | "(" expression ")" | "(" pipeline ")" | "*" | array | bag
 */
function parseAtom(p: Parser): Expr {
  const token = p.peek();
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case 'long':
    case 'real': {
      p.take();
      const timespan = takeUnit(p, token);
      if (timespan !== undefined) return timespan;
      const value = token.kind === 'long' ? checkLong(p, token.value as bigint, span) : token.value!;
      return { kind: 'literal', type: token.kind, value, span };
    }
    case 'timespan':
      p.take();
      return { kind: 'literal', type: token.kind, value: token.value!, span };
    case 'string':
      return parseTexts(p);
    case 'word':
      return parseWord(p);
    case 'punctuation':
      return parseSign(p);
    case 'negated':
      return parseNegatedName(p);
    default:
      p.reportUnexpected('a value');
      return p.errorExpr();
  }
}

/** A text, or several with blanks between them, which are one. */
function parseTexts(p: Parser): Expr {
  const { start, value } = p.take();
  let text = String(value) + doubledQuotes(p, start);
  while (p.peek().kind === 'string' && !p.adjacent() && !standsAlone(p)) text += String(p.take().value);
  return { kind: 'literal', type: 'string', value: text, span: p.spanFrom(start) };
}

/**
 * The rest of a string after a doubled quote, as in `'it''s'`, including the quote; reports the
 * correct notation.
 */
function doubledQuotes(p: Parser, start: number): string {
  const quote = p.text[start];
  let more = '';
  while (p.peek().kind === 'string' && p.adjacent() && p.text[p.peek().start] === quote)
    more += `${quote}${String(p.take().value)}`;
  if (more === '') return '';
  const span = p.spanFrom(start);
  const inside = p.text.slice(span.start + 1, span.end - 1).replaceAll(`${quote}${quote}`, `\\${quote}`);
  const replacement = `${quote}${inside}${quote}`;
  const message = `a quote within a text is written \\${quote}: ${replacement}`;
  p.error(span, message, { title: `Write ${replacement}`, replacement });
  return more;
}

const standsAlone = (p: Parser): boolean =>
  p.textsStandAlone === 'always' || (p.textsStandAlone === 'on lines of their own' && p.peek().startsLine);

/** A unit of time after a number and a blank (`1 h`), where no word is allowed. */
function takeUnit(p: Parser, { text, start }: Token): Expr | undefined {
  const unit = timespanUnits.get(p.peek().text);
  const isName = p.at('(', 1) || p.at('=', 1);
  if (unit === undefined || p.peek().startsLine || isName || !/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const written = `${text}${p.take().text}`;
  const span = p.spanFrom(start);
  const fix = { title: `Write ${written}`, replacement: written };
  p.error(span, `there is no blank in a timespan: ${written}`, fix);
  return { kind: 'literal', type: 'timespan', value: scaleToNanoseconds(text, unit) ?? 0n, span };
}

/**
 * Parses `!a` and `!f(x)`, the negation of other languages. An operator here, such as `!contains`,
 * has no left side.
 */
function parseNegatedName(p: Parser): Expr {
  const { text, start, end } = p.peek();
  if (infixOperators.has(text) || text === '!matches') {
    p.reportUnexpected('a value');
    return p.errorExpr();
  }
  p.take();
  const name = { text: text.slice(1), quoted: false, span: { start: start + 1, end } };
  p.error({ start, end }, 'negation is written not(…)', { title: 'Write not', replacement: `not ${name.text}` });
  const operand: Expr = p.at('(')
    ? { kind: 'call', callee: name, args: parseArguments(p), span: p.spanFrom(start + 1) }
    : { kind: 'name', name, span: name.span };
  return { kind: 'unary', op: 'not', operand, span: p.spanFrom(start) };
}

/** 2^63 fits only after a minus, and `parseUnary` reads the two together. */
function checkLong(p: Parser, value: bigint, span: Span): bigint {
  if (value <= MAX_LONG) return value;
  p.error(
    span,
    'the number is too large for 64 bits; in events such numbers are texts, so write it in quotes, or with a point and a zero at its end for a real',
  );
  return 0n;
}

function parseWord(p: Parser): Expr {
  const token = p.peek();
  const span = { start: token.start, end: token.end };
  if (p.at('(', 1)) {
    if (token.text === 'dynamic') return parseDynamic(p);
    if (token.text === 'typeof') return parseTypeof(p);
    if (isTypedLiteral(token.text)) return parseTypedLiteral(p);
    return parseCall(p);
  }
  if (token.text === 'true' || token.text === 'false') {
    p.take();
    return { kind: 'literal', type: 'bool', value: token.text === 'true', span };
  }
  if (token.text === 'null') {
    p.take();
    return { kind: 'literal', type: 'dynamic', value: null, span };
  }
  if (/^(?:true|false|null)$/i.test(token.text)) {
    p.take();
    const lower = token.text.toLowerCase();
    const message = `${lower} is written in lower case; a field of this name is written ['${token.text}']`;
    const fix = { title: `Write ${lower}`, replacement: lower };
    if (lower === 'null') p.error(span, message, fix);
    else p.warning(span, message, fix);
    return lower === 'null'
      ? { kind: 'literal', type: 'dynamic', value: null, span }
      : { kind: 'literal', type: 'bool', value: lower === 'true', span };
  }
  const name = parseName(p, 'a name');
  return { kind: 'name', name, span: name.span };
}

/**
 *     call = WORD "(" [ argument { "," argument } ] ")"
 */
function parseCall(p: Parser): CallExpr {
  const callee = currentName(p, parseName(p, 'a function'));
  const args = parseArguments(p);
  return { kind: 'call', callee, args, span: p.spanFrom(callee.span.start) };
}

/** The name that a function has today, if `name` is an older one of Kusto. */
function currentName(p: Parser, name: Name): Name {
  const today = oldFunctionNames.get(name.text);
  if (today === undefined) return name;
  p.warning(name.span, `${name.text} is now written ${today}`, { title: `Write ${today}`, replacement: today });
  return { ...name, text: today };
}

export function parseArguments(p: Parser): readonly Argument[] {
  const opening = p.open('(', 'before the arguments');
  if (opening === undefined) return [];
  return p.withModes({ inDynamic: false, inLet: false, textsStandAlone: undefined }, () =>
    bracketedList(p, opening, () => parseArgument(p)),
  );
}

/**
 *     argument = [ name "=" ] expression | pipeline
 */
function parseArgument(p: Parser): Argument {
  const length = nameLength(p);
  let name: Name | undefined;
  if (length !== undefined && p.at('=', length)) {
    name = parseName(p, 'a name');
    p.take();
  }
  if (p.at('distinct') && p.peek(1).kind === 'word' && hasArgument(p, 1))
    p.error(
      p.spanFrom(p.take().start),
      'there is no distinct in a call; different values are counted by dcount(value)',
    );
  const value = isPipelineNext(p) && !isBeforeArgument(p) ? parsePipelineValue(p) : p.rules.expression(p);
  return name === undefined ? { value } : { name, value };
}

/**
 * Whether another argument follows the brackets around this one: `f((T | take 1), 2)`. A pipeline
 * would continue after them.
 */
function isBeforeArgument(p: Parser): boolean {
  const closing = p.at('(') ? p.closingOf() : undefined;
  return closing !== undefined && p.at(',', closing + 1);
}

function parsePipelineValue(p: Parser): Expr {
  return p.withinDepth<Expr>(
    () => {
      const query = p.withModes({ inSearch: false, inDynamic: false, inLet: false }, () => p.rules.pipeline(p));
      return { kind: 'tabular', query, span: query.span };
    },
    () => p.errorExpr(),
  );
}

function parseSign(p: Parser): Expr {
  const token = p.peek();
  switch (token.text) {
    case '(': {
      const opening = p.open('(', '')!;
      const inner = isPipelineNext(p)
        ? parsePipelineValue(p)
        : p.withModes({ inLet: false }, () => p.rules.expression(p));
      p.close(opening);
      // The span includes the brackets, so that the spans of enclosing nodes cover them.
      return { ...inner, span: p.spanFrom(token.start) };
    }
    case '[':
      return parseBracket(p);
    case '{':
      if (!p.inDynamic) p.error(p.here(), 'an object is written dynamic({"key": value})');
      return parseBag(p);
    case '*':
      p.take();
      return { kind: 'star', span: { start: token.start, end: token.end } };
    case '!': {
      p.take();
      const fix = p.at('(') ? { title: 'Write not', replacement: 'not' } : undefined;
      p.error(p.spanFrom(token.start), 'negation is written not(…)', fix);
      return p.withinDepth(
        () => parsePrimary(p),
        () => p.errorExpr(),
      );
    }
    default: {
      const digits = token.text === '.' && p.adjacent(1) && p.peek(1).kind === 'long' ? p.peek(1).text : undefined;
      const wanted = p.inSearch ? 'a value, or a term in quotes' : 'a value';
      if (digits === undefined) p.reportUnexpected(wanted);
      else
        p.error(p.here(), `a number begins with a digit: 0.${digits}`, {
          title: `Write 0.${digits}`,
          replacement: '0.',
        });
      return p.errorExpr();
    }
  }
}

function parseBracket(p: Parser): Expr {
  if (p.inDynamic) return parseArray(p);
  if (nameLength(p) !== undefined) {
    const name = parseName(p, 'a name');
    if (!p.at('(')) return { kind: 'name', name, span: name.span };
    p.error(name.span, `functions are called by their plain name: ${name.text}(…)`, {
      title: 'Remove the quotes',
      replacement: name.text,
    });
    return { kind: 'call', callee: name, args: parseArguments(p), span: p.spanFrom(name.span.start) };
  }
  const open = p.here();
  const array = parseArray(p);
  const fix = {
    title: 'Write dynamic([…])',
    replacement: `dynamic(${p.text.slice(array.span.start, array.span.end)})`,
  };
  const span = { start: open.start, end: array.span.end };
  p.error(span, "an array is written dynamic([…]); a quoted name holds one string: ['name']", fix);
  return array;
}

/**
 *     array = "[" [ expression { "," expression } [ "," ] ] "]"     (inside dynamic)
 */
function parseArray(p: Parser): Expr {
  const { start } = p.peek();
  const opening = p.open('[', '')!;
  const items = p.withModes({ inDynamic: true, inSearch: false, inLet: false }, () =>
    bracketedList(p, opening, () => p.rules.expression(p)),
  );
  return { kind: 'array', items, span: p.spanFrom(start) };
}

/**
 *     bag = "{" [ STRING ":" expression { "," STRING ":" expression } ] "}"     (inside dynamic)
 */
function parseBag(p: Parser): Expr {
  const { start } = p.peek();
  const opening = p.open('{', '')!;
  const entries = p.withModes({ inDynamic: true, inSearch: false, inLet: false }, () =>
    bracketedList(p, opening, () => {
      const key = parseKey(p);
      p.expect(':', 'after a key');
      return { key, value: p.rules.expression(p) };
    }),
  );
  return { kind: 'bag', entries, span: p.spanFrom(start) };
}

function parseKey(p: Parser): string {
  const token = p.peek();
  if (token.kind === 'string') {
    p.take();
    return String(token.value);
  }
  const fix = { title: 'Quote the key', replacement: JSON.stringify(token.text) };
  p.reportUnexpected('a key in quotes', token.kind === 'word' ? fix : undefined);
  if (p.at(':', 1)) p.take();
  return token.kind === 'word' ? token.text : '';
}

/**
 *     dynamic = "dynamic" "(" expression ")"
 */
function parseDynamic(p: Parser): Expr {
  const { start } = p.take();
  const opening = p.open('(', '')!;
  const value = p.withModes({ inDynamic: true, inSearch: false, inLet: false }, () => p.rules.expression(p));
  p.close(opening);
  const span = p.spanFrom(start);
  if (value.kind === 'literal' && value.value === null) return { kind: 'literal', type: 'dynamic', value: null, span };
  return { kind: 'dynamic', value, span };
}

/**
 *     typeof = "typeof" "(" type ")"
 */
function parseTypeof(p: Parser): Expr {
  const { start } = p.take();
  const opening = p.open('(', '')!;
  const type = parseType(p);
  p.close(opening);
  return { kind: 'typeof', type, span: p.spanFrom(start) };
}
