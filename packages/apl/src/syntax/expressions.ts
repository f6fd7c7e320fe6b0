import type { ArithmeticOp, BinaryExpr, ComparisonOp, Expr, LogicalOp, Span, StringTestExpr, Tabular } from './ast.js';
import { type FoundInfix, infixAt, takeInfix } from './infix-lookahead.js';
import { infixOperators } from './infix-operators.js';
import { commaList } from './lists.js';
import { isPipelineNext } from './lookahead.js';
import { nameLength } from './names.js';
import { parsePrimary } from './primaries.js';
import type { Parser } from './parser.js';
import { MAX_LONG, MIN_LONG } from '../model/int64.js';

/**
 *     expression = and { "or" and }
 */
export function parseExpression(p: Parser): Expr {
  return p.withinDepth(
    () => parseLogical(p, 'or', () => parseLogical(p, 'and', () => parseNegation(p))),
    () => p.errorExpr(),
  );
}

/**
 *     and = negation { "and" negation }
 */
function parseLogical(p: Parser, op: LogicalOp, operand: () => Expr): Expr {
  const operands = [operand()];
  const opSpans: Span[] = [];
  for (;;) {
    const infix = infixAt(p);
    if (infix?.operator.kind !== 'logical' || infix.operator.op !== op) break;
    opSpans.push(takeInfix(p, infix));
    operands.push(operand());
  }
  return combine(op, operands, opSpans);
}

/**
 * The longest chain that stays left-associative, as written; longer ones are balanced so that
 * recursion over them stays shallow.
 */
const LEFT_LEANING = 32;

function combine(op: LogicalOp, operands: readonly Expr[], opSpans: readonly Span[]): Expr {
  if (operands.length <= LEFT_LEANING) {
    return operands.reduce((left, right, index) => binary(op, left, right, opSpans[index - 1]!));
  }
  const middle = operands.length >> 1;
  const left = combine(op, operands.slice(0, middle), opSpans.slice(0, middle - 1));
  const right = combine(op, operands.slice(middle), opSpans.slice(middle));
  return binary(op, left, right, opSpans[middle - 1]!);
}

/**
 *     negation = "not" negation | equality
 *
 * Without brackets, `not` applies to everything up to the next `and` or `or`: `not a == b` is
 * `not (a == b)`. With brackets, it is a call.
 */
function parseNegation(p: Parser): Expr {
  if (!isPrefixNot(p)) return parseEquality(p);
  const { start } = p.take();
  const operand = p.withinDepth(
    () => parseNegation(p),
    () => p.errorExpr(),
  );
  return { kind: 'unary', op: 'not', operand, span: p.spanFrom(start) };
}

function isPrefixNot(p: Parser): boolean {
  if (p.at('NOT') && p.peek(1).kind === 'word' && !infixOperators.has(p.peek(1).text)) {
    p.error(p.here(), 'operators are written in lower case: not', { title: 'Write not', replacement: 'not' });
    return true;
  }
  if (!p.at('not')) return false;
  const next = p.peek(1);
  if (next.kind === 'punctuation') return next.text === '[' || next.text === '*';
  if (next.kind !== 'word') return next.kind !== 'end' && next.kind !== 'negated';
  // In `not == 1` and `not and x`, `not` is a field.
  return !infixOperators.has(next.text) && !['matches', 'asc', 'desc', 'by'].includes(next.text);
}

const EQUALITY: ReadonlyMap<string, ComparisonOp> = new Map([
  ['==', '=='],
  ['!=', '!='],
  ['<>', '!='],
  ['=', '=='],
]);

/**
 *     equality = relation [ ("==" | "!=" | "<>") relation | IN list | BETWEEN "(" expression ".." expression ")" ]
 */
function parseEquality(p: Parser): Expr {
  let left = parseRelation(p);
  for (let chained = false; ; chained = true) {
    const sign = p.peek().kind === 'punctuation' ? EQUALITY.get(p.peek().text) : undefined;
    const infix = sign === undefined ? infixAt(p) : undefined;
    if (sign === undefined && infix?.operator.kind !== 'membership' && infix?.operator.kind !== 'between') return left;
    if (chained) reportChain(p);
    if (sign !== undefined) {
      const opSpan = takeEqualitySign(p);
      left = binary(sign, left, parseRelation(p), opSpan);
    } else left = parseListTest(p, left, infix!);
  }
}

function takeEqualitySign(p: Parser): Span {
  const { start, text } = p.take();
  const isTriple = text === '==' && p.at('=') && p.adjacent();
  if (isTriple) p.take();
  const span = p.spanFrom(start);
  if (isTriple) p.error(span, '=== is written ==', { title: 'Write ==', replacement: '==' });
  if (text === '=') {
    p.error(span, '= gives a name to a column; to compare, write ==', { title: 'Write ==', replacement: '==' });
  }
  return span;
}

function reportChain(p: Parser): void {
  p.error(p.here(), 'comparisons do not chain; join two of them with and, or put brackets around one');
}

const RELATIONS: ReadonlyMap<string, ComparisonOp> = new Map([
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['=>', '>='],
]);

/**
 *     relation = sum [ ("<" | "<=" | ">" | ">=") sum ]
 */
function parseRelation(p: Parser): Expr {
  let left = parseSum(p);
  for (let chained = false; ; chained = true) {
    const isTurned = p.at('=') && p.at('<', 1) && p.adjacent(1);
    const sign = p.peek().kind === 'punctuation' ? RELATIONS.get(p.peek().text) : undefined;
    const op = isTurned ? '<=' : sign;
    if (op === undefined || isAssigning(p)) return left;
    if (chained) reportChain(p);
    const { start, text } = p.take();
    if (isTurned) p.take();
    const opSpan = p.spanFrom(start);
    if (isTurned || text === '=>')
      p.error(opSpan, `${isTurned ? '=<' : text} is written ${op}`, { title: `Write ${op}`, replacement: op });
    left = binary(op, left, parseSum(p), opSpan);
  }
}

/** Whether the assignments after a condition of `scan` come next: `=> name = …`. */
function isAssigning(p: Parser): boolean {
  const length = p.at('=>') ? nameLength(p, 1) : undefined;
  return length !== undefined && p.at('=', 1 + length);
}

const SUMS: ReadonlyMap<string, ArithmeticOp> = new Map([
  ['+', '+'],
  ['-', '-'],
]);

const PRODUCTS: ReadonlyMap<string, ArithmeticOp> = new Map([
  ['*', '*'],
  ['/', '/'],
  ['%', '%'],
]);

/**
 *     sum = product { ("+" | "-") product }
 */
const parseSum = (p: Parser): Expr => parseArithmetic(p, SUMS, parseProduct);

/**
 *     product = string-test { ("*" | "/" | "%") string-test }
 */
const parseProduct = (p: Parser): Expr => parseArithmetic(p, PRODUCTS, parseStringTest);

/** `-- text`, a comment in SQL. */
const isDashedComment = (p: Parser): boolean =>
  p.at('-') && p.at('-', 1) && p.adjacent(1) && !p.adjacent(2) && !p.peek(2).startsLine && p.peek(2).kind !== 'end';

function skipDashedComment(p: Parser, left: Expr): Expr {
  const { start } = p.take();
  p.take();
  p.error(p.spanFrom(start), 'a comment begins with //', { title: 'Write //', replacement: '//' });
  while (p.peek().kind !== 'end' && !p.peek().startsLine && !p.at('|')) p.take();
  return left;
}

function parseArithmetic(p: Parser, ops: ReadonlyMap<string, ArithmeticOp>, operand: (p: Parser) => Expr): Expr {
  let left = operand(p);
  for (;;) {
    const op = p.peek().kind === 'punctuation' ? ops.get(p.peek().text) : undefined;
    if (op === undefined) return left;
    if (isDashedComment(p)) return skipDashedComment(p, left);
    const { start, end } = p.take();
    const right = operand(p);
    for (const side of [left, right]) {
      if (side.kind !== 'star') continue;
      const isPower = p.text[side.span.start - 1] === '*';
      const message = isPower
        ? 'there is no **; powers are pow(a, b)'
        : '* stands for all fields here; there is nothing to compute with it';
      p.error(side.span, message);
    }
    left = binary(op, left, right, { start, end });
  }
}

/**
 *     string-test = unary [ ("=~" | "!~" | STRING-OPERATOR | ":") unary ]
 *
 * The colon is an operator only in `search`.
 */
function parseStringTest(p: Parser): Expr {
  let left = parseUnary(p);
  for (let chained = false; ; chained = true) {
    const test = stringTestAt(p);
    if (test === undefined) return left;
    if (chained) reportChain(p);
    const opSpan = takeInfix(p, test);
    if (test.operator.op === 'has' && (p.at('any') || p.at('all')) && p.at('(', 1))
      return parseSplitHas(p, left, opSpan);
    if ((p.at('any') || p.at('all')) && p.at('(', 1)) return refuseList(p, left, opSpan);
    const right = test.operator.op === 'term' ? parseTerm(p) : parseUnary(p);
    const { op, negated, caseSensitive } = test.operator;
    left = { kind: 'stringTest', op, negated, caseSensitive, opSpan, left, right, span: cover(left, right) };
  }
}

/** `contains any (…)`: only `has` takes a list. */
function refuseList(p: Parser, left: Expr, { start, end }: Span): Expr {
  const written = p.text.slice(start, end);
  const quantifier = p.take().text;
  const joined = quantifier === 'any' ? 'or' : 'and';
  const list = quantifier === 'any' ? ', or a matches regex "x|y"' : '';
  p.error(
    p.spanFrom(start),
    `${written} takes no list; write a ${written} "x" ${joined} a ${written} "y"${list}; whole terms are found by a has_${quantifier} ("x", "y")`,
  );
  parseList(p, `has_${quantifier}`);
  return { kind: 'error', span: p.spanFrom(left.span.start) };
}

/** `has any (…)`, which is one word. */
function parseSplitHas(p: Parser, left: Expr, { start }: Span): Expr {
  const written = `has_${p.take().text}`;
  const span = p.spanFrom(start);
  p.error(span, `${p.text.slice(span.start, span.end)} is written ${written}`, {
    title: `Write ${written}`,
    replacement: written,
  });
  const operator = infixOperators.get(written);
  const list = parseList(p, written);
  const op = operator?.kind === 'membership' ? operator.op : 'has_any';
  return {
    kind: 'membership',
    op,
    negated: false,
    caseSensitive: false,
    left,
    list,
    span: p.spanFrom(left.span.start),
  };
}

/** Parses a search term. A word or number followed directly by a sign should have been a string. */
function parseTerm(p: Parser): Expr {
  const { start, kind } = p.peek();
  const term = parseUnary(p);
  if (kind === 'string' || term.kind === 'error' || !p.adjacent() || p.atOperatorEnd()) return term;
  const sign = p.describe();
  while (p.adjacent() && !p.atOperatorEnd()) p.skip();
  const span = p.spanFrom(start);
  const value = p.text.slice(span.start, span.end);
  const quoted = JSON.stringify(value);
  const fix = { title: `Write ${quoted}`, replacement: quoted };
  p.error(span, `a term with ${sign} is written in quotes: ${quoted}`, fix);
  return { kind: 'literal', type: 'string', value, span };
}

type FoundStringTest = Pick<FoundInfix, 'length' | 'mistake'> & {
  readonly operator: Pick<StringTestExpr, 'op' | 'negated' | 'caseSensitive'>;
};

function stringTestAt(p: Parser): FoundStringTest | undefined {
  const { kind, text } = p.peek();
  if (kind === 'punctuation') {
    if (text === '=~' || text === '!~') {
      return { length: 1, operator: { op: 'equals', negated: text === '!~', caseSensitive: false } };
    }
    if (text === ':' && p.inSearch) {
      return { length: 1, operator: { op: 'term', negated: false, caseSensitive: false } };
    }
  }
  const infix = infixAt(p);
  return infix?.operator.kind === 'string' ? { ...infix, operator: infix.operator } : undefined;
}

/**
 *     unary = ("-" | "+" | "not") unary | primary
 */
function parseUnary(p: Parser): Expr {
  const token = p.peek();
  const isSign = token.kind === 'punctuation' && (token.text === '-' || token.text === '+');
  if (!isSign && !isPrefixNot(p)) return parsePrimary(p);
  p.take();
  if (token.text === '-' && p.peek().value === MAX_LONG + 1n) {
    p.take();
    return { kind: 'literal', type: 'long', value: MIN_LONG, span: p.spanFrom(token.start) };
  }
  const operand = p.withinDepth(
    () => parseUnary(p),
    () => p.errorExpr(),
  );
  return { kind: 'unary', op: token.text as '-' | '+' | 'not', operand, span: p.spanFrom(token.start) };
}

function parseListTest(p: Parser, left: Expr, infix: FoundInfix): Expr {
  takeInfix(p, infix);
  const { operator } = infix;
  if (operator.kind === 'between') {
    const { low, high } = parseRange(p);
    return { kind: 'between', negated: operator.negated, operand: left, low, high, span: p.spanFrom(left.span.start) };
  }
  if (operator.kind !== 'membership') return left;
  const { op, negated, caseSensitive } = operator;
  const list = parseList(p, operator.name);
  return { kind: 'membership', op, negated, caseSensitive, left, list, span: p.spanFrom(left.span.start) };
}

/**
 *     range = "(" expression ".." expression ")"
 */
function parseRange(p: Parser): { readonly low: Expr; readonly high: Expr } {
  const opening = p.open('(', 'after between: (low .. high)');
  if (opening === undefined) return { low: p.errorExpr(), high: p.errorExpr() };
  const low = parseBracketed(p);
  if (p.accept('..') === undefined) {
    const fix = { title: 'Write ..', replacement: '..' };
    const message = `expected .. between the two ends of the range, but found ${p.describe()}`;
    p.error(p.here(), message, p.at(',') || p.at('and') ? fix : undefined);
    if (p.accept(',') === undefined) p.skipTo('..', ',');
    p.accept('..');
  }
  const high = parseBracketed(p);
  p.close(opening);
  return { low, high };
}

/** `in [a, b]`, which is reported. */
function parseBareList(p: Parser, operator: string): readonly Expr[] {
  const opening = p.open('[', '')!;
  const items = commaList(p, () => parseBracketed(p));
  p.close(opening);
  const span = p.spanFrom(opening.token.start);
  const replacement = `(${p.text.slice(span.start + 1, Math.max(span.start + 1, span.end - 1))})`;
  p.error(span, `the list after ${operator} stands in round brackets`, { title: 'Use ( )', replacement });
  return items;
}

/**
 * An expression inside brackets, to which `inDynamic` and `inLet` of the surroundings do not apply.
 */
const parseBracketed = (p: Parser): Expr => p.withModes({ inDynamic: false, inLet: false }, () => parseExpression(p));

/**
 *     list = "(" [ pipeline | expression { "," expression } ] ")" | unary
 *
 * Without brackets, the value has to be a dynamic array.
 */
function parseList(p: Parser, operator: string): readonly Expr[] | Tabular {
  if (!p.at('(')) {
    if (p.at('[') && nameLength(p) === undefined) return parseBareList(p, operator);
    if (p.atOperatorEnd()) p.reportUnexpected(`a list after ${operator}: (a, b)`);
    return [parseUnary(p)];
  }
  const opening = p.open('(', '')!;
  if (isPipelineNext(p)) {
    const query = p.withModes({ inSearch: false, inDynamic: false, inLet: false }, () => p.rules.pipeline(p));
    p.close(opening);
    return query;
  }
  if (p.at(')')) {
    p.close(opening);
    return [];
  }
  const items = p.withModes({ inDynamic: false, inLet: false }, () => commaList(p, () => parseExpression(p)));
  p.close(opening);
  return items;
}

const cover = (left: Expr, right: Expr): Span => ({
  start: left.span.start,
  end: Math.max(left.span.end, right.span.end),
});

function binary(op: BinaryExpr['op'], left: Expr, right: Expr, opSpan: Span): Expr {
  return { kind: 'binary', op, opSpan, left, right, span: cover(left, right) };
}
