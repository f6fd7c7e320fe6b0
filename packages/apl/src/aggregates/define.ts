import type { Expr } from '@millrace/sql';
import type { Differences, ExampleValue, Lowered, LowerContext, Param } from '../functions/define.js';
import type { Scalar } from '../plan/scalar.js';
import type { ScalarType } from '../types.js';

/**
 * An aggregate of the language, declared once. Its conditional twin (`sumif`, `make_set_if`) is derived: rows where the
 * predicate is not true give null, which every aggregate ignores.
 */
export interface AggregateRecord {
  readonly name: string;
  readonly summary: string;
  readonly overloads: readonly AggregateOverload[];
  /** What the HTTP interface calls it. */
  readonly api: string;
  readonly twin?: Twin;
  /** Arguments after the first are fields, each preceded by its name; `*` stands for all of them. */
  readonly labelled?: boolean;
  readonly examples: readonly AggregateExample[];
  readonly differs?: Differences;
}

interface Twin {
  readonly name: string;
  readonly api: string;
  readonly summary: string;
  /** Position of the predicate; the last argument unless told. */
  readonly predicate?: number;
  /** Where the twin's parameters differ from the plain form's. */
  readonly overloads?: readonly AggregateOverload[];
}

export interface AggregateOverload {
  readonly params: readonly Param[];
  readonly rest?: Param;
  readonly returns: ScalarType | ((types: readonly ScalarType[], nulls: readonly boolean[]) => ScalarType);
  /** Value arguments are already null where the condition is not true; only `count` needs to look at it. */
  readonly lower: (args: readonly Lowered[], context: AggregateContext, condition?: Expr) => Expr;
  readonly check?: (args: readonly Lowered[]) => { readonly argument: number; readonly message: string } | undefined;
}

export interface AggregateContext extends LowerContext {
  /** Size of the time bin in nanoseconds, if the rows are grouped by one. */
  readonly bucket?: bigint;
  /** Whether rows are grouped, so that no group is without rows. */
  readonly grouped: boolean;
  /** Arguments of all calls of this aggregate over the same rows: what they read in common can be read once. */
  readonly together?: readonly (readonly Lowered[])[];
}

/**
 * An aggregate that is null without rows. The engine's own is null only without values of a column that can be null, and else 0, NaN or the
 * like; with `OrNull` it remembers for each group whether there was a row, and compiles nothing: a tenth of the time where there are many groups.
 */
export const nullWithoutRows = (name: string, { grouped }: AggregateContext): string =>
  grouped ? name : `${name}OrNull`;

/** A query whose first row shows the aggregate; run on the real engine by the tests. */
interface AggregateExample {
  readonly apl: string;
  readonly gives: readonly ExampleValue[];
  readonly tolerance?: number;
}

/** An aggregate in a plan. */
export interface AggregateCall {
  readonly name: string;
  readonly type: ScalarType;
  readonly overload: AggregateOverload;
  readonly args: readonly Scalar[];
  readonly condition?: Scalar;
  /** The lowering writes its arguments many times, so they should be columns. */
  readonly repeats?: boolean;
}
