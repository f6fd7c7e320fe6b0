import type { LiteralValue } from '@millrace/sql';
import type { Overload } from '../functions/define.js';
import type { ScalarType } from '../model/types.js';
import type { Plan } from './nodes.js';

/**
 * A column of a plan, unique in a query; also its alias in SQL, so it starts with a readable name.
 */
export type ColumnId = string;

/** A typed scalar expression. Names are resolved, overloads chosen, conversions explicit. */
export type Scalar =
  | ConstantScalar
  | ColumnScalar
  | CallScalar
  /** Implicit conversion, defined in `lower/values.ts`. */
  | { readonly kind: 'convert'; readonly type: ScalarType; readonly operand: Scalar }
  /** Whether the needle is among the values of a pipeline's only column; false where it is null. */
  | { readonly kind: 'inPlan'; readonly type: 'bool'; readonly needle: Scalar; readonly plan: Plan }
  /** The first cell of a pipeline. */
  | { readonly kind: 'scalarPlan'; readonly type: ScalarType; readonly plan: Plan };

/** Datetimes and timespans are nanoseconds, dynamics JSON text. */
export interface ConstantScalar {
  readonly kind: 'constant';
  readonly type: ScalarType;
  readonly value: LiteralValue;
}

export interface ColumnScalar {
  readonly kind: 'column';
  readonly type: ScalarType;
  readonly id: ColumnId;
}

export interface CallScalar {
  readonly kind: 'call';
  readonly type: ScalarType;
  readonly name: string;
  readonly overload: Overload;
  readonly args: readonly Scalar[];
}

/**
 * The value of an expression of the language: one type variant or, for a mixed field, several, with
 * at most one not null per row. `values/coerce.ts` picks one.
 */
export type Bound = readonly [Scalar, ...Scalar[]];

export const constant = (type: ScalarType, value: LiteralValue): ConstantScalar => ({ kind: 'constant', type, value });

/** A column as an expression. */
export const columnOf = ({ type, id }: Omit<ColumnScalar, 'kind'>): ColumnScalar => ({ kind: 'column', type, id });

/** The type of an overload's result for these arguments. */
export const resultOf = ({ returns }: Pick<Overload, 'returns'>, args: readonly Scalar[]): ScalarType =>
  typeof returns === 'function'
    ? returns(
        args.map(({ type }) => type),
        args.map(isNull),
      )
    : returns;

/** A call whose overload and argument types are already right. */
export const callOf = (name: string, overload: Overload, args: readonly Scalar[]): CallScalar => ({
  kind: 'call',
  type: resultOf(overload, args),
  name,
  overload,
  args,
});

/** The null that fits everywhere. */
export const nullScalar: ConstantScalar = constant('dynamic', null);

export const isNull = (scalar: Scalar): boolean => scalar.kind === 'constant' && scalar.value === null;

/** The text of a constant, which for a dynamic one is JSON; undefined for anything else. */
export const constantText = (scalar: Scalar): string | undefined =>
  scalar.kind === 'constant' && typeof scalar.value === 'string' ? scalar.value : undefined;

/** The direct parts of an expression; pipelines in it are not looked into. */
export function partsOf(scalar: Scalar): readonly Scalar[] {
  switch (scalar.kind) {
    case 'constant':
    case 'column':
    case 'scalarPlan':
      return [];
    case 'call':
      return scalar.args;
    case 'convert':
      return [scalar.operand];
    case 'inPlan':
      return [scalar.needle];
  }
}

/** Replaces the direct parts of an expression; if none changes, it stays the same object. */
export function mapParts(scalar: Scalar, one: (part: Scalar) => Scalar): Scalar {
  switch (scalar.kind) {
    case 'constant':
    case 'column':
    case 'scalarPlan':
      return scalar;
    case 'call': {
      const args = scalar.args.map(one);
      return args.every((arg, i) => arg === scalar.args[i]) ? scalar : { ...scalar, args };
    }
    case 'convert': {
      const operand = one(scalar.operand);
      return operand === scalar.operand ? scalar : { ...scalar, operand };
    }
    case 'inPlan': {
      const needle = one(scalar.needle);
      return needle === scalar.needle ? scalar : { ...scalar, needle };
    }
  }
}

/** Rewrites from the leaves up; unchanged parts stay the same object. */
export const rewrite = (scalar: Scalar, change: (scalar: Scalar) => Scalar): Scalar =>
  change(mapParts(scalar, (part) => rewrite(part, change)));

/** The columns that expressions read. */
export function columnsIn(scalars: readonly Scalar[]): ReadonlySet<ColumnId> {
  const found = new Set<ColumnId>();
  const add = (scalar: Scalar): void => {
    if (scalar.kind === 'column') found.add(scalar.id);
    else partsOf(scalar).forEach(add);
  };
  scalars.forEach(add);
  return found;
}

/** Whether the expression reads columns, and so may differ from row to row. */
export const readsRow = (scalar: Scalar): boolean =>
  scalar.kind === 'column' || isWindow(scalar) || partsOf(scalar).some(readsRow);

/** Whether the expression is a function of other rows. */
export const isWindow = (scalar: Scalar): boolean => scalar.kind === 'call' && scalar.overload.looksAround === true;

/** Whether the expression reads other rows. */
export const looksAround = (scalar: Scalar): boolean => isWindow(scalar) || partsOf(scalar).some(looksAround);

/**
 * Whether the expression gives the same value for the same row each time. Expressions that read
 * other rows or datasets do not count.
 */
export const isRepeatable = (scalar: Scalar): boolean =>
  scalar.kind !== 'inPlan' &&
  scalar.kind !== 'scalarPlan' &&
  !(scalar.kind === 'call' && scalar.overload.isRandom === true) &&
  !isWindow(scalar) &&
  partsOf(scalar).every(isRepeatable);
