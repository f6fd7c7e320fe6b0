import type { Expr } from '../../syntax/ast.js';
import { operation } from './binary.js';
import { convert } from './conversions.js';
import { callOf } from './functions.js';
import { membershipTest, textTest } from './text-tests.js';
import { asDynamic, isBag, isList } from './values.js';
import type { Column, Row, Type, Value } from './values.js';

/** A compiled expression: its type, and its value at row `i` of the rows. */
export interface Scalar {
  readonly type: Type;
  readonly at: (rows: readonly Row[], i: number) => Value;
  /** Set for a literal null, which fits any type. */
  readonly isNull?: boolean;
  /** Set for a literal empty text, which a missing text equals. */
  readonly isEmptyText?: boolean;
}

/**
 * The semantics of an expression, implemented as plainly as possible; shares only the parser with
 * the language.
 */
export function scalarOf(expr: Expr, columns: readonly Column[]): Scalar {
  const of = (inner: Expr): Scalar => scalarOf(inner, columns);
  switch (expr.kind) {
    case 'literal': {
      const { type, value } = expr;
      return {
        type,
        at: () => value,
        ...(value === null ? { isNull: true } : {}),
        ...(value === '' ? { isEmptyText: true } : {}),
      };
    }
    case 'name': {
      const index = columns.findIndex((column) => column.name === expr.name.text);
      const column = columns[index];
      if (column === undefined) throw new Error(`no column ${expr.name.text}`);
      return { type: column.type, at: (rows, i) => rows[i]![index]! };
    }
    case 'member':
      return member(of(expr.object), { type: 'string', at: () => expr.member.text });
    case 'index':
      return member(of(expr.object), of(expr.index));
    case 'unary':
      return expr.op === 'not' ? callOf('not', [of(expr.operand)]) : negation(of(expr.operand), expr.op);
    case 'binary':
      return operation(expr.op, of(expr.left), of(expr.right));
    case 'stringTest':
      return textTest(expr, of(expr.left), of(expr.right));
    case 'membership':
      if ('kind' in expr.list) throw new Error('no pipelines here');
      return membershipTest(expr, of(expr.left), expr.list.map(of));
    case 'between': {
      const operand = of(expr.operand);
      const inside = operation('and', operation('>=', operand, of(expr.low)), operation('<=', operand, of(expr.high)));
      return expr.negated ? { type: 'bool', at: (rows, i) => inside.at(rows, i) !== true } : inside;
    }
    case 'array': {
      const items = expr.items.map(of);
      return { type: 'dynamic', at: (rows, i) => items.map((item) => asDynamic(item.at(rows, i), item.type)) };
    }
    case 'bag': {
      const entries = expr.entries.map(({ key, value }) => ({ key, value: of(value) }));
      return {
        type: 'dynamic',
        at: (rows, i) =>
          Object.fromEntries(entries.map(({ key, value }) => [key, asDynamic(value.at(rows, i), value.type)])),
      };
    }
    case 'dynamic':
      return convert(of(expr.value), 'dynamic');
    case 'call':
      return callOf(
        expr.callee.text,
        expr.args.map((arg) => of(arg.value)),
      );
    case 'spread':
    case 'typeof':
    case 'star':
    case 'tabular':
    case 'error':
      throw new Error(`not evaluated: ${expr.kind}`);
  }
}

/** A member of an object by its key, of an array by its place from 0, negative from the end. */
function member(object: Scalar, index: Scalar): Scalar {
  return {
    type: 'dynamic',
    at: (rows, i) => {
      const [whole, key] = [object.at(rows, i), index.at(rows, i)];
      if (isList(whole) && typeof key === 'bigint') return whole.at(Number(key)) ?? null;
      return isBag(whole) && typeof key === 'string' && Object.hasOwn(whole, key) ? whole[key]! : null;
    },
  };
}

function negation(operand: Scalar, op: '-' | '+'): Scalar {
  const number = operand.type === 'dynamic' ? convert(operand, 'real') : operand;
  if (op === '+') return number;
  return {
    type: number.type,
    at: (rows, i) => {
      const value = number.at(rows, i);
      if (typeof value === 'bigint') return BigInt.asIntN(64, -value);
      return typeof value === 'number' ? -value : null;
    },
  };
}
