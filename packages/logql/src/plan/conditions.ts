import type { Ast } from '@millrace/apl';
import { readRegex } from '@millrace/apl/positions';
import type { Condition, MatchOperator, Unit } from '../syntax/ast.js';
import { binary, call, junction, literal, not, textTest, timespan } from './build.js';

/** Conditions on the texts of labels as conditions of APL. */

/** The text of a label; undefined if no event has it, which equals an empty one. */
export type TextOf = (label: string, span: Ast.Span) => Ast.Expr | undefined;

const constantTruth = (value: boolean, span: Ast.Span): Ast.Expr => ({
  kind: 'literal',
  type: 'bool',
  value,
  span,
});

const matchesEmpty = (regex: string): boolean => {
  const reading = readRegex(`^(?:${regex})$`);
  return reading.ok && reading.shape.mayBeEmpty;
};

/** A test of a text; one that is missing is empty. */
export function matchText(
  text: Ast.Expr | undefined,
  { op, value }: { readonly op: MatchOperator; readonly value: string },
  span: Ast.Span,
): Ast.Expr {
  const negated = op.startsWith('!');
  const isRegex = op.endsWith('~');
  if (text === undefined) return constantTruth((isRegex ? matchesEmpty(value) : value === '') !== negated, span);
  if (!isRegex) {
    if (value === '') return call(span, negated ? 'isnotempty' : 'isempty', text);
    return binary(negated ? '!=' : '==', text, literal(value, span));
  }
  const matches = textTest('matches regex', text, `^(?:${value})$`);
  const whole = matchesEmpty(value) ? junction('or', [call(span, 'isempty', text), matches]) : matches;
  return negated ? not(whole) : whole;
}

/** The number that a text is; null if it is none. */
export function numberOf(text: Ast.Expr, unit: Unit): Ast.Expr {
  const { span } = text;
  switch (unit) {
    case 'number':
      return call(span, 'todouble', text);
    case 'duration':
      return binary('/', call(span, 'totimespan', text), timespan(1_000_000_000n, span));
    case 'bytes':
      return call(
        span,
        'iff',
        textTest('matches regex', text, String.raw`^\s*\d`),
        call(span, 'todouble', call(span, 'parse_bytes', text, literal(10n, span))),
        { kind: 'literal', type: 'real', value: null, span },
      );
  }
}

const isV6 = (range: string): boolean => range.includes(':');

/** @param fail throws an error about a condition that is not supported */
export function conditionExpr(
  condition: Condition,
  textOf: TextOf,
  fail: (span: Ast.Span, message: string) => never,
): Ast.Expr {
  const { span } = condition;
  switch (condition.kind) {
    case 'and':
    case 'or':
      return binary(
        condition.kind,
        conditionExpr(condition.left, textOf, fail),
        conditionExpr(condition.right, textOf, fail),
      );
    case 'matcher':
      return matchText(textOf(condition.label, span), condition, span);
    case 'number': {
      const text = textOf(condition.label, span);
      if (text === undefined) return constantTruth(false, span);
      const value = numberOf(text, condition.unit);
      const test = binary(condition.op, value, literal(condition.value, span));
      return condition.op === '!=' ? junction('and', [call(span, 'isnotnull', value), test]) : test;
    }
    case 'ip': {
      const { range, negated } = condition;
      if (!/^[\d.]+(\/\d{1,2})?$|^[\da-fA-F:.]*:[\da-fA-F:.]*(\/\d{1,3})?$/.test(range))
        fail(span, `${JSON.stringify(range)} is no address or network; write it as in 10.0.0.0/8`);
      const text = textOf(condition.label, span);
      if (text === undefined) return constantTruth(false, span);
      const network = range.includes('/') ? range : `${range}/${isV6(range) ? 128 : 32}`;
      const inside = call(span, isV6(range) ? 'ipv6_is_in_range' : 'ipv4_is_in_range', text, literal(network, span));
      return negated ? junction('and', [call(span, 'isnotempty', text), not(inside)]) : inside;
    }
  }
}
