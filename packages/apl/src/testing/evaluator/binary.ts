import type { BinaryExpr } from '../../syntax/ast.js';
import { toComparable, convert } from './conversions.js';
import type { Scalar } from './scalar.js';
import { isNumber, jsonText, order, truncate, wrap } from './values.js';
import type { Row, Type, Value } from './values.js';

/** `left op right` for the operators between two values. */
export function operation(op: BinaryExpr['op'], left: Scalar, right: Scalar): Scalar {
  switch (op) {
    case 'and':
    case 'or':
      return logical(op === 'or', convert(left, 'bool'), convert(right, 'bool'));
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(op, left, right);
    default:
      return arithmetic(op, left, right);
  }
}

/** Three-valued logic: with a null, the result is null unless the other side decides. */
function logical(decisive: boolean, left: Scalar, right: Scalar): Scalar {
  return {
    type: 'bool',
    at: (rows, i) => {
      const sides = [left.at(rows, i), right.at(rows, i)];
      if (sides.includes(decisive)) return decisive;
      return sides.includes(null) ? null : !decisive;
    },
  };
}

function comparison(op: '==' | '!=' | '<' | '<=' | '>' | '>=', left: Scalar, right: Scalar, mixed = false): Scalar {
  const beside = right.isEmptyText === true ? left : left.isEmptyText === true ? right : undefined;
  if ((op === '==' || op === '!=') && beside !== undefined && ['string', 'dynamic', 'mixed'].includes(beside.type))
    return {
      type: 'bool',
      at: (rows, i) => [null, ''].includes(beside.at(rows, i) as string | null) === (op === '=='),
    };
  if (left.type === 'mixed' || right.type === 'mixed')
    return {
      type: 'bool',
      at: (rows, i) => comparison(op, ownType(left, rows, i), ownType(right, rows, i), true).at(rows, i),
    };
  // A dynamic value is converted to the type of the other side, and so is a string. Neither
  // distinguishes integers from reals, and a value equal to a timespan has no fraction.
  const isEquality = op === '==' || op === '!=';
  const asOther = (type: Type): Type => (type === 'long' || (isEquality && type === 'timespan') ? 'real' : type);
  const isOther = (one: Scalar, two: Scalar): boolean =>
    one.type !== two.type &&
    (one.type === 'dynamic' || (one.type === 'string' && !['dynamic', 'string'].includes(two.type)));
  const a = isOther(left, right) ? toComparable(left, asOther(right.type)) : left;
  const b = isOther(right, left) ? toComparable(right, asOther(left.type)) : right;
  const kind = (type: Type): string => (['long', 'real', 'timespan'].includes(type) ? 'number' : type);
  const never = kind(a.type) !== kind(b.type);
  return {
    type: 'bool',
    at: (rows, i) => {
      const [x, y] = [a.at(rows, i), b.at(rows, i)];
      if (isEquality) {
        const equal =
          x !== null &&
          y !== null &&
          !never &&
          (a.type === 'dynamic' ? jsonText(x) === jsonText(y) : order(x, y) === 0);
        return equal === (op === '==');
      }
      if (never) return mixed ? null : false;
      if (x === null || y === null || (a.type === 'dynamic' && jsonKind(x) !== jsonKind(y))) return null;
      const o = order(x, y);
      if (o === undefined) return false;
      return op === '<' ? o < 0 : op === '<=' ? o <= 0 : op === '>' ? o > 0 : o >= 0;
    },
  };
}

/** Values of different kinds are not ordered. */
const jsonKind = (value: Value): string => (isNumber(value) ? 'number' : typeof value === 'string' ? 'text' : 'other');

/** A mixed field as the type of its value in this row. */
function ownType(scalar: Scalar, rows: readonly Row[], i: number): Scalar {
  if (scalar.type !== 'mixed') return scalar;
  const value = scalar.at(rows, i);
  const types: Readonly<Record<string, Type>> = { bigint: 'long', number: 'real', string: 'string', boolean: 'bool' };
  return { type: types[typeof value] ?? 'dynamic', at: () => value, isNull: value === null };
}

type Step = (a: bigint, b: bigint) => bigint | null;

const integers: Readonly<Record<string, Step>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? null : a / b),
  '%': (a, b) => (b === 0n ? null : a % b),
};

const reals: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  // What remains of -0 is 0.
  '%': (a, b) => (a % b) + 0,
};

function arithmetic(op: '+' | '-' | '*' | '/' | '%', left: Scalar, right: Scalar): Scalar {
  const a = isOpen(left) ? convert(left, wantedBeside(right.type, op, 'left')) : left;
  const b = isOpen(right) ? convert(right, wantedBeside(left.type, op, 'right')) : right;
  const type = resultType(op, a.type, b.type);
  const scales =
    type === 'timespan' && (op === '*' || op === '/') && (op === '/' || a.type === 'real' || b.type === 'real');
  return {
    type,
    at: (rows, i) => {
      const [x, y] = [a.at(rows, i), b.at(rows, i)];
      if (x === null || y === null) return null;
      if (scales) return truncate(reals[op]!(Number(x), Number(y)));
      return type === 'real' ? reals[op]!(Number(x), Number(y)) : whole(integers[op]!(x as bigint, y as bigint), type);
    },
  };
}

const isOpen = ({ type }: Scalar): boolean => type === 'dynamic' || type === 'mixed';

/**
 * The type to which a dynamic or mixed operand is converted. With a time or a timespan it is a type
 * that the operator accepts, a time rather than a timespan.
 */
function wantedBeside(other: Type, op: string, side: 'left' | 'right'): Type {
  if (op === '+' && other === 'timespan') return 'datetime';
  if (op === '+' && other === 'datetime') return 'timespan';
  if (op === '-' && other === 'datetime') return 'datetime';
  if (op === '-' && other === 'timespan') return side === 'left' ? 'datetime' : 'timespan';
  return 'real';
}

/** Integers wrap around; times that overflow 64 bits are null. */
const whole = (value: bigint | null, type: Type): Value =>
  value === null || (type !== 'long' && value !== wrap(value)) ? null : wrap(value);

function resultType(op: string, a: Type, b: Type): Type {
  const both = `${a} ${op} ${b}`;
  if (both === 'datetime - datetime') return 'timespan';
  if (a === 'datetime' || b === 'datetime') return 'datetime';
  if (op === '/' && b === 'timespan') return 'real';
  if (a === 'timespan' || b === 'timespan') return 'timespan';
  return a === 'long' && b === 'long' ? 'long' : 'real';
}
