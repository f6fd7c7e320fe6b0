import type { Expr, JoinCondition, JoinKind, Operator, Tabular } from '../ast.js';
import { parseChoice } from '../choices.js';
import { parseExpression } from '../expressions.js';
import { skipHints } from '../hints/hints.js';
import { commaList } from '../lists.js';
import { parseName } from '../names.js';
import type { Parser } from '../parser.js';
import { parseSource } from '../sources.js';

export const JOIN_KINDS: ReadonlyMap<string, JoinKind> = new Map([
  ['inner', 'inner'],
  ['innerunique', 'innerunique'],
  ['leftouter', 'leftouter'],
  ['rightouter', 'rightouter'],
  ['fullouter', 'fullouter'],
  ['leftsemi', 'leftsemi'],
  ['rightsemi', 'rightsemi'],
  ['leftanti', 'leftanti'],
  ['rightanti', 'rightanti'],
  ['anti', 'leftanti'],
  ['leftantisemi', 'leftanti'],
  ['rightantisemi', 'rightanti'],
]);

const LOOKUP_KINDS = new Map([
  ['leftouter', 'leftouter'],
  ['inner', 'inner'],
] as const);

/**
 *     join = "join" [ "kind" "=" KIND ] table "on" condition { "," condition }
 */
export function parseJoin(p: Parser, start: number): Operator {
  const join = parseChoice(p, 'kind', JOIN_KINDS);
  skipHints(p);
  const right = parseTable(p);
  const on = parseConditions(p);
  return {
    kind: 'join',
    join: join ?? 'inner',
    ...(join && { kindGiven: true }),
    right,
    on,
    span: p.spanFrom(start),
  };
}

/**
 *     lookup = "lookup" [ "kind" "=" ( "leftouter" | "inner" ) ] table "on" condition { "," condition }
 */
export function parseLookup(p: Parser, start: number): Operator {
  const join = parseChoice(p, 'kind', LOOKUP_KINDS) ?? 'leftouter';
  const right = parseTable(p);
  const on = parseConditions(p);
  return { kind: 'lookup', join, right, on, span: p.spanFrom(start) };
}

/**
 *     table = source     (a pipeline in brackets is one)
 */
export function parseTable(p: Parser): Tabular {
  const source = parseSource(p);
  return source.kind === 'nested'
    ? { ...source.query, span: source.span }
    : { kind: 'pipeline', source, operators: [], span: source.span };
}

/**
 *     condition = expression [ "==" expression ]
 *
 * An `and` between conditions is read as a comma.
 */
function parseConditions(p: Parser): readonly JoinCondition[] {
  if (p.expect('on', 'and the columns to match') === undefined) {
    p.skipTo('on');
    if (p.accept('on') === undefined) return [];
  }
  return commaList(p, () => assignedCondition(p) ?? parseExpression(p)).flatMap(conditionsOf);
}

/** `a = a` and `a = b`, which name nothing in a join: reports how columns are matched. */
function assignedCondition(p: Parser): Expr | undefined {
  const [left, right] = [p.peek(), p.peek(2)];
  if (left.kind !== 'word' || !p.at('=', 1) || right.kind !== 'word' || p.at('.', 3) || right.text.startsWith('$'))
    return undefined;
  const name = parseName(p, 'a column');
  p.take();
  const other = parseName(p, 'a column');
  const replacement = name.text === other.text ? name.text : `$left.${name.text} == $right.${other.text}`;
  const message = `columns are matched by their common name, as in on k, or by $left.a == $right.b; write ${replacement}`;
  p.error(p.spanFrom(left.start), message, { title: `Write ${replacement}`, replacement });
  return { kind: 'name', name, span: name.span };
}

function conditionsOf(expr: Expr): readonly JoinCondition[] {
  if (expr.kind !== 'binary') return [{ left: expr, span: expr.span }];
  if (expr.op === 'and') return [...conditionsOf(expr.left), ...conditionsOf(expr.right)];
  if (expr.op === '==') return [{ left: expr.left, right: expr.right, span: expr.span }];
  return [{ left: expr, span: expr.span }];
}
