import type { Expr } from '../../syntax/ast.js';
import { operation } from './binary.js';
import { callOf } from './functions.js';
import { scalarOf } from './scalar.js';
import type { Scalar } from './scalar.js';
import { textTest } from './text-tests.js';
import type { Column } from './values.js';

/**
 * The condition of `search`: a text in any column that is not a time, as a term unless asterisks
 * say otherwise, or an ordinary condition.
 */
export function buildSearch(expr: Expr, columns: readonly Column[]): Scalar {
  const of = (inner: Expr): Scalar => buildSearch(inner, columns);
  if (expr.kind === 'literal' && expr.type === 'string') return anywhere(String(expr.value), expr, columns);
  if (expr.kind === 'binary' && (expr.op === 'and' || expr.op === 'or'))
    return operation(expr.op, of(expr.left), of(expr.right));
  if (expr.kind === 'unary' && expr.op === 'not') return callOf('not', [of(expr.operand)]);
  const [negated] = expr.kind === 'call' && expr.callee.text === 'not' ? expr.args : [];
  return negated === undefined ? scalarOf(expr, columns) : callOf('not', [of(negated.value)]);
}

const operators = { '': 'has', '>': 'hasprefix', '<': 'hassuffix', '<>': 'contains' } as const;

function anywhere(term: string, { span }: Expr, columns: readonly Column[]): Scalar {
  const open = `${term.startsWith('*') ? '<' : ''}${term.endsWith('*') ? '>' : ''}` as keyof typeof operators;
  const needle: Expr = { kind: 'literal', type: 'string', value: term.replace(/^\*|\*$/g, ''), span };
  const tests = columns.flatMap((column, c): readonly Scalar[] => {
    if (column.type === 'datetime') return [];
    const left: Expr = { kind: 'literal', type: 'string', value: '', span };
    const value: Scalar = { type: column.type, at: (rows, i) => rows[i]![c]! };
    const test = {
      kind: 'stringTest',
      op: operators[open],
      negated: false,
      caseSensitive: false,
      opSpan: span,
    } as const;
    return [textTest({ ...test, left, right: needle, span }, value, scalarOf(needle, columns))];
  });
  return { type: 'bool', at: (rows, i) => tests.some((test) => test.at(rows, i) === true) };
}
