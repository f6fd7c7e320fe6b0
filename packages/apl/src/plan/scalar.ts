import type { LiteralValue } from '@millrace/sql';
import type { Overload } from '../functions/define.js';
import type { ScalarType } from '../types.js';
import type { Plan } from './nodes.js';

/** A column of a plan, unique in a query; also its alias in SQL, so it starts with a readable name. */
export type ColumnId = string;

/** A typed scalar expression. Names are resolved, overloads chosen, conversions explicit. */
export type Scalar =
  | ConstantScalar
  | { readonly kind: 'column'; readonly type: ScalarType; readonly id: ColumnId }
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

export interface CallScalar {
  readonly kind: 'call';
  readonly type: ScalarType;
  readonly name: string;
  readonly overload: Overload;
  readonly args: readonly Scalar[];
}

/**
 * The value of an expression of the language: one reading or, for a mixed field, several, of which at most one is not null in
 * a row. See `bind/coerce.ts` for how one is picked.
 */
export type Bound = readonly [Scalar, ...Scalar[]];

export const constant = (type: ScalarType, value: LiteralValue): ConstantScalar => ({ kind: 'constant', type, value });

/** The null that fits everywhere. */
export const nullScalar: ConstantScalar = constant('dynamic', null);

export const isNull = (scalar: Scalar): boolean => scalar.kind === 'constant' && scalar.value === null;

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

/** Rewrites from the leaves up; what does not change stays the same object. */
export function rewrite(scalar: Scalar, change: (scalar: Scalar) => Scalar): Scalar {
  switch (scalar.kind) {
    case 'constant':
    case 'column':
    case 'scalarPlan':
      return change(scalar);
    case 'call': {
      const args = scalar.args.map((arg) => rewrite(arg, change));
      return change(args.every((arg, i) => arg === scalar.args[i]) ? scalar : { ...scalar, args });
    }
    case 'convert': {
      const operand = rewrite(scalar.operand, change);
      return change(operand === scalar.operand ? scalar : { ...scalar, operand });
    }
    case 'inPlan': {
      const needle = rewrite(scalar.needle, change);
      return change(needle === scalar.needle ? scalar : { ...scalar, needle });
    }
  }
}

/** Adds the columns an expression reads. */
export function collectColumns(scalar: Scalar, into: Set<ColumnId>): void {
  if (scalar.kind === 'column') into.add(scalar.id);
  else for (const part of partsOf(scalar)) collectColumns(part, into);
}
