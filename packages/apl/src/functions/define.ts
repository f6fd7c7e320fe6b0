import type { Expr, LiteralValue, OrderKey } from '@millrace/sql';
import type { NeedsOfRecord } from '../model/needs.js';
import type { Scalar } from '../plan/scalar.js';
import type { RequiredWords } from '../plan/required-words.js';
import type { ReferenceData } from '../model/reference-data.js';
import type { ScalarType } from '../model/types.js';
import { onceEach } from './distinct-arguments.js';

/** The properties of a function except its overloads. */
interface FunctionDescription {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line: the result. */
  readonly summary: string;
  /** Run on the real engine by the tests, and shown in the reference. */
  readonly examples: readonly Example[];
  /**
   * The overload handles nulls. Otherwise a null in any argument gives null, which a derived test
   * checks.
   */
  readonly handlesNulls?: boolean;
  readonly differs?: Differences;
  /**
   * The elements of its array by name, in the order of the columns that `extend series_fit_line(a)`
   * makes of them, each with its place.
   */
  readonly values?: Readonly<Record<string, number>>;
  /** The meaning of an argument `*`; absent if the function does not take one. */
  readonly everyColumn?: 'values' | 'names and values';
  /**
   * The call in terms of other functions. Parameters are replaced by their arguments; a missing one
   * is omitted from calls, and null in other places.
   */
  readonly written?: string;
}

/** A function as the rest of the language sees it. */
export interface OverloadedFunction extends FunctionDescription {
  /** Tried in order; the first whose parameters fit with the fewest conversions wins. */
  readonly overloads: readonly Overload[];
}

/** A function whose only overload is written in the record itself. */
interface Single extends FunctionDescription, Overload {
  readonly overloads?: never;
}

/**
 * A function of the language, declared once. The binder picks an overload, inserts conversions so
 * that every argument has the declared type, and `lower` turns lowered arguments into SQL.
 * Completion, hover, the reference page and the tests are derived from the record.
 */
export type FunctionRecord = OverloadedFunction | Single;

/** A record with its overloads as a list. */
export const withOverloads = (record: FunctionRecord): OverloadedFunction =>
  record.overloads === undefined ? { ...record, overloads: [record] } : record;

/** Known differences from other dialects, as sentences for the reference. */
export interface Differences {
  readonly axiom?: string;
  readonly kusto?: string;
}

/**
 * The accepted values of a parameter. `number`: a long or a real, unconverted. `any`: every type,
 * unconverted (see `Lowered.type`). `array`, `bag` and `dynamic` accept any dynamic value; since
 * that is JSON text, it may be of another kind at run time.
 */
export type ParamType = ScalarType | 'number' | 'any';

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly optional?: boolean;
  /** Must be a constant after folding; `Lowered.constant` is then present. */
  readonly constant?: boolean;
  /** Only its text matters: each type variant of a mixed field is converted to text separately. */
  readonly asText?: boolean;
  /** Values are compared, and numbers rank before texts: beside numbers, texts are left out. */
  readonly isRanked?: boolean;
  /** Bounds of a constant integer; other values are an error at the argument. */
  readonly within?: Bounds;
}

/** Both ends are included; a missing one means no limit other than 64 bits. */
interface Bounds {
  readonly min?: bigint;
  readonly max?: bigint;
}

/** `from 1 to 100`, as error messages say it. */
export function boundsText({ min, max }: Bounds): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`;
}

export interface Overload extends NeedsOfRecord {
  readonly params: readonly Param[];
  /** Accepts any number of further arguments of this kind. */
  readonly rest?: Param;
  /**
   * The result's type, or how it follows from the arguments' types; `nulls` marks constant nulls,
   * which fit any type.
   */
  readonly returns: ScalarType | ((types: readonly ScalarType[], nulls: readonly boolean[]) => ScalarType);
  /**
   * Arguments arrive in the representation of their type (see `types.ts`); absent optional ones are
   * missing at the end. `type` is the call's type.
   */
  readonly lower: (args: readonly LoweredArgument[], context: LowerContext, type: ScalarType) => Expr;
  /**
   * The value when all arguments are constants, computed while compiling; undefined leaves it to
   * the engine. Needed for values that must be known early: times that narrow the range, sizes of
   * bins.
   */
  readonly fold?: (args: readonly LiteralValue[], context: FoldContext) => LiteralValue | undefined;
  /**
   * The argument that tells at which rows to restart. `lower` gets the number of the row's group
   * instead, which a pass counts in a separate column.
   */
  readonly restart?: number;
  /** Checks constant arguments while compiling; returns an error at that argument. */
  readonly check?: (args: readonly LoweredArgument[], context: FoldContext) => AboutArgument | undefined;
  /**
   * Parses strings as times with the month first: the caller checks whether some have the day
   * first.
   */
  readonly readsTimes?: true;
  /** For tests of text: the words that follow from the result being true. */
  readonly wants?: (args: readonly Scalar[]) => RequiredWords | undefined;
  /** Like `check`, for arguments that are valid but probably a mistake; returns a warning. */
  readonly doubt?: (args: readonly LoweredArgument[]) => AboutArgument | undefined;
}

/**
 * The tuple of values per parameter: one `Each` per parameter, which may be missing for an optional
 * one, and any number for `rest`. If the types do not tell the number of parameters, an array.
 */
export type ArgumentsOf<Params extends readonly Param[], Rest, Each> = Params extends readonly [
  infer First,
  ...infer Others extends readonly Param[],
]
  ? First extends { readonly optional: true }
    ? readonly [Each?, ...ArgumentsOf<Others, Rest, Each>]
    : readonly [Each, ...ArgumentsOf<Others, Rest, Each>]
  : Params extends readonly []
    ? Rest extends Param
      ? readonly Each[]
      : readonly []
    : readonly Each[];

/** A function that is given the arguments of these parameters in place of a list of any. */
export type WithArguments<F, Params extends readonly Param[], Rest> = F extends (
  args: readonly (infer Each)[],
  ...more: infer More
) => infer Result
  ? (args: ArgumentsOf<Params, Rest, Each>, ...more: More) => Result
  : never;

/** The parts of an overload that receive arguments. */
type ArgumentTaking = Pick<Overload, 'lower' | 'fold' | 'check' | 'wants' | 'doubt'>;

/** An overload as it is written: its parts receive the arguments that it declares. */
type OverloadDeclaration<Params extends readonly Param[], Rest> = Omit<
  Overload,
  'params' | 'rest' | keyof ArgumentTaking
> & {
  readonly params: Params;
  readonly rest?: Rest;
  /** The SQL of each argument is written once, so that `lower` may use it any number of times. */
  readonly onceEach?: boolean;
} & { readonly [Part in keyof ArgumentTaking]: WithArguments<NonNullable<ArgumentTaking[Part]>, Params, Rest> };

/** A declared overload with its arguments as an array, whose length the parameters guarantee. */
type DeclaredOfAny = Overload & { readonly onceEach?: boolean };

/** Declares an overload. */
export function defineOverload<const Params extends readonly Param[], const Rest extends Param | undefined = undefined>(
  declared: OverloadDeclaration<Params, Rest>,
): Overload;
export function defineOverload({ onceEach: isOnceEach, ...overload }: DeclaredOfAny): Overload {
  return isOnceEach === true ? { ...overload, lower: onceEach(overload.lower) } : overload;
}

/** Declares a function whose only overload is written in its record. */
export function defineFunction<const Params extends readonly Param[], const Rest extends Param | undefined = undefined>(
  declared: FunctionDescription & OverloadDeclaration<Params, Rest>,
): FunctionRecord;
export function defineFunction({
  onceEach: isOnceEach,
  ...record
}: FunctionDescription & DeclaredOfAny): FunctionRecord {
  return isOnceEach === true ? { ...record, lower: onceEach(record.lower) } : record;
}

/** A finding about one argument of a call. */
export interface AboutArgument {
  readonly argument: number;
  readonly message: string;
}

/** The arguments that a call takes. */
export type Arguments = Pick<Overload, 'params' | 'rest'>;

/** An argument as SQL. */
export interface LoweredArgument {
  readonly sql: Expr;
  readonly type: ScalarType;
  /**
   * The value, if it is known while compiling: datetimes and timespans as nanoseconds, dynamics as
   * JSON text.
   */
  readonly constant?: LiteralValue;
}

/** Context of constant folding, available while arguments are still being typed. */
export interface FoldContext {
  /** The time of the query, nanoseconds since the epoch. A query that calls it needs the clock. */
  readonly now: () => bigint;
  readonly reference: ReferenceData;
}

/** Context of a lowering in addition to its arguments. Times are nanoseconds since the epoch. */
export interface LowerContext extends FoldContext {
  readonly range: { readonly start: bigint; readonly end: bigint };
  /** The order rows are in, for window functions. */
  readonly order?: readonly OrderKey[];
  /**
   * Window functions read only rows with the same values of these expressions; without it they read
   * all rows.
   */
  readonly partition?: readonly Expr[];
  /**
   * An argument for a random function, another one each time: the engine gives calls with equal
   * arguments one value, and so it does rows that it multiplies.
   */
  readonly draw?: () => Expr;
}

/**
 * A scalar expression and its value: JSON values, `bigint` for integers beyond 2^53, RFC 3339 text
 * for datetimes.
 */
export interface Example {
  readonly apl: string;
  readonly gives: ExampleValue;
  /** Relative tolerance for floats. */
  readonly tolerance?: number;
}
export type ExampleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ExampleValue[]
  | { readonly [key: string]: ExampleValue };

/** The properties of a parameter except its name and type. */
type ParamOptions = Omit<Param, 'name' | 'type'>;

/** Declares a parameter. */
export const param = <const Options extends ParamOptions = Record<never, never>>(
  name: string,
  type: ParamType,
  options?: Options,
): Param & Options => ({ name, type, ...options }) as Param & Options;

/** Declares a function in terms of others, which are bound in its place. */
export const composedOf = (
  record: Omit<FunctionDescription, 'handlesNulls' | 'written'> &
    Pick<Overload, 'params' | 'returns'> & { readonly written: string },
): FunctionRecord => ({
  ...record,
  handlesNulls: true,
  lower: () => {
    throw new RangeError(`${record.name} is written in terms of other functions`);
  },
});

/** Declares functions of one argument that need only its SQL. */
export const unary =
  (argument: Param) =>
  (
    name: string,
    summary: string,
    returns: ScalarType,
    lower: (value: Expr) => Expr,
    examples: readonly Example[],
  ): FunctionRecord =>
    defineFunction({
      name,
      summary,
      params: [argument],
      returns,
      lower: ([value]) => lower(value.sql),
      examples,
    });
