import type { Expr } from '@millrace/sql';
import type {
  AboutArgument,
  Arguments,
  Differences,
  ExampleValue,
  LoweredArgument,
  LowerContext,
  Overload,
  Param,
  WithArguments,
} from '../functions/define.js';
import type { NeedsOfRecord } from '../model/needs.js';
import type { Scalar } from '../plan/scalar.js';
import type { ScalarType } from '../model/types.js';

/**
 * An aggregate of the language, declared once. Its conditional twin (`sumif`, `make_set_if`) is
 * derived: in rows where the predicate is not true the values become null, which every aggregate
 * ignores.
 */
export interface AggregateRecord {
  readonly name: string;
  readonly summary: string;
  readonly overloads: readonly AggregateOverload[];
  /** Its name in the HTTP interface. */
  readonly api: string;
  readonly twin?: Twin;
  /**
   * How a result over values that are only known to be numbers is recognized as an integer: it is
   * one of the values, or a sum of only integers.
   */
  readonly ofNumbers?: 'sum' | 'extreme';
  /** Over a field that no event has, its column fits everywhere, as that field does. */
  readonly fitsIfMissing?: true;
  /**
   * Integers keep their digits beside other numbers: as floats, IDs beyond 2^53 would be fewer.
   */
  readonly exactIntegers?: boolean;
  /** Arguments after the first are fields, each preceded by its name; `*` means all fields. */
  readonly labeled?: boolean;
  readonly examples: readonly AggregateExample[];
  readonly differs?: Differences;
}

interface Twin {
  readonly name: string;
  readonly api: string;
  readonly summary: string;
  /** Position of the predicate; the last argument by default. */
  readonly predicate?: number;
  /** Set if the twin's parameters differ from those of the plain form. */
  readonly overloads?: readonly AggregateOverload[];
}

export interface AggregateOverload extends Arguments, NeedsOfRecord, Pick<Overload, 'returns' | 'doubt'> {
  /**
   * Value arguments are already null where the condition is not true; only `count` needs the
   * condition.
   */
  readonly lower: (args: readonly LoweredArgument[], context: AggregateContext, condition?: Expr) => Expr;
  /** The result has its values in the order of the rows, if the query sorts these. */
  readonly keepsOrder?: boolean;
  readonly check?: (args: readonly LoweredArgument[]) => AboutArgument | undefined;
}

/** The parts of an overload that receive arguments. */
type ArgumentTaking = Pick<AggregateOverload, 'lower' | 'check' | 'doubt'>;

/** An overload as it is written: its parts receive the arguments that it declares. */
type OverloadDeclaration<Params extends readonly Param[], Rest> = Omit<
  AggregateOverload,
  'params' | 'rest' | keyof ArgumentTaking
> & {
  readonly params: Params;
  readonly rest?: Rest;
} & { readonly [Part in keyof ArgumentTaking]: WithArguments<NonNullable<ArgumentTaking[Part]>, Params, Rest> };

/** Declares an overload. */
export function defineAggregateOverload<
  const Params extends readonly Param[],
  const Rest extends Param | undefined = undefined,
>(declared: OverloadDeclaration<Params, Rest>): AggregateOverload;
export function defineAggregateOverload(declared: AggregateOverload): AggregateOverload {
  return declared;
}

export interface AggregateContext extends LowerContext {
  /** Size of the time bin in nanoseconds, if the rows are grouped by one. */
  readonly bucket?: bigint;
  /** Whether rows are grouped, so that every group has rows. */
  readonly grouped: boolean;
  /** The arguments of all calls of this aggregate over the same rows, which may share work. */
  readonly together?: readonly (readonly LoweredArgument[])[];
}

/**
 * The name of an aggregate that is null without rows. The engine's plain one is null without rows
 * only over a column that can be null, and 0, NaN or the like otherwise. With `OrNull` the engine
 * records for each group whether it had a row, and does not compile the aggregate, which costs a
 * tenth of the time if there are many groups; grouped rows do not need it.
 */
export const nullWithoutRows = (name: string, { grouped }: AggregateContext): string =>
  grouped ? name : `${name}OrNull`;

/** A query whose first row shows the aggregate; the tests run it on the real engine. */
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
  /** Whether the lowering writes its arguments many times, so that they should be columns. */
  readonly repeats?: boolean;
}
