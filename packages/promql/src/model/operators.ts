/** The operators between two operands. */

interface OperatorRecord {
  readonly kind: 'arithmetic' | 'comparison' | 'set';
}

const arithmetic = { kind: 'arithmetic' } as const;
const comparison = { kind: 'comparison' } as const;
const set = { kind: 'set' } as const;

const operators = {
  '+': arithmetic,
  '-': arithmetic,
  '*': arithmetic,
  '/': arithmetic,
  '%': arithmetic,
  '^': arithmetic,
  atan2: arithmetic,
  '==': comparison,
  '!=': comparison,
  '>': comparison,
  '<': comparison,
  '>=': comparison,
  '<=': comparison,
  and: set,
  or: set,
  unless: set,
} as const satisfies Readonly<Record<string, OperatorRecord>>;

export type BinaryOperator = keyof typeof operators;
type OperatorsOf<K extends OperatorRecord['kind']> = {
  [O in BinaryOperator]: (typeof operators)[O]['kind'] extends K ? O : never;
}[BinaryOperator];
export type SetOperator = OperatorsOf<'set'>;
export type ValueOperator = OperatorsOf<'arithmetic' | 'comparison'>;

export const isOperator = (text: string): text is BinaryOperator => Object.hasOwn(operators, text);
export const isSetOperator = (op: BinaryOperator): op is SetOperator => operators[op].kind === 'set';
export const isComparison = (op: BinaryOperator): boolean => operators[op].kind === 'comparison';
