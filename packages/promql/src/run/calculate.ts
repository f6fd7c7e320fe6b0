import type { ValueOperator } from '../model/operators.js';

/** The operators on two numbers; comparisons give 1 or 0. */
export const calculate: Readonly<Record<ValueOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
  atan2: Math.atan2,
  '==': (left, right) => Number(left === right),
  '!=': (left, right) => Number(left !== right),
  '>': (left, right) => Number(left > right),
  '<': (left, right) => Number(left < right),
  '>=': (left, right) => Number(left >= right),
  '<=': (left, right) => Number(left <= right),
};
