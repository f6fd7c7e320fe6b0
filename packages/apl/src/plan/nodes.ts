import type { Expr } from '@millrace/sql';
import type { AggregateCall } from '../aggregates/define.js';
import type { ScalarType } from '../model/types.js';
import type { ColumnId, Scalar } from './scalar.js';
import type { Schema } from './schema.js';

/** A small relational algebra; every node has the schema of its rows. */
export type Plan =
  | ScanPlan
  | RowsPlan
  | ExternalPlan
  | FilterPlan
  | ProjectPlan
  | AggregatePlan
  | SortPlan
  | LimitPlan
  | TopSeriesPlan
  | SamplePlan
  | UnionPlan
  | JoinPlan
  | ExpandPlan;

/** Nanoseconds; both bounds are inclusive. */
export interface TimeRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** A dataset's table within a time range. */
export interface ScanPlan {
  readonly kind: 'scan';
  readonly schema: Schema;
  readonly dataset: string;
  readonly database: string;
  readonly table: string;
  /** How each column is read from the table. */
  readonly columns: ReadonlyMap<ColumnId, Expr>;
  /** Absent until `passes/time-range.ts` sets it. */
  readonly range?: TimeRange;
  /** Only rows beyond this row id, in the direction of reading. */
  readonly beyond?: Position & { readonly older: boolean; readonly inclusive: boolean };
}

/** The place of an event in the order of a dataset. */
export interface Position {
  readonly time: bigint;
  readonly seq: bigint;
  readonly row: number;
}

/**
 * Literal rows; `columns` name and type the cells. One row without columns is the input of `print`.
 */
export interface RowsPlan {
  readonly kind: 'rows';
  readonly schema: Schema;
  readonly columns: readonly { readonly id: ColumnId; readonly type: ScalarType }[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** The rows of a file, at least one; all columns hold texts. */
export interface ExternalPlan {
  readonly kind: 'external';
  readonly schema: Schema;
  /** Where the file was read. */
  readonly address: string;
  readonly columns: readonly { readonly id: ColumnId; readonly type: 'string' | 'bag' }[];
  /** The cells as tab-separated values. */
  readonly text: string;
}

interface FilterPlan {
  readonly kind: 'filter';
  readonly schema: Schema;
  readonly input: Plan;
  readonly predicate: Scalar;
}

export interface ComputedColumn {
  readonly id: ColumnId;
  readonly expr: Scalar;
}

/**
 * New columns are computed, all from the input; the schema says which columns remain and in which
 * order.
 */
export interface ProjectPlan {
  readonly kind: 'project';
  readonly schema: Schema;
  readonly input: Plan;
  readonly computed: readonly ComputedColumn[];
  /** Functions of other rows read only rows with equal values in these columns. */
  readonly per?: readonly ColumnId[];
}

/** Without groups there is always exactly one row. */
export interface AggregatePlan {
  readonly kind: 'aggregate';
  readonly schema: Schema;
  readonly input: Plan;
  readonly groups: readonly ComputedColumn[];
  readonly aggregates: readonly { readonly id: ColumnId; readonly call: AggregateCall }[];
}

export interface SortKey {
  readonly expr: Scalar;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface SortPlan {
  readonly kind: 'sort';
  readonly schema: Schema;
  readonly input: Plan;
  readonly keys: readonly SortKey[];
  /** The default order of `summarize` results, which is not in the query. */
  readonly implicit?: boolean;
}

interface LimitPlan {
  readonly kind: 'limit';
  readonly schema: Schema;
  readonly input: Plan;
  readonly count: number;
  /** The count applies to each combination of these columns. */
  readonly by?: readonly ColumnId[];
}

/**
 * All rows of the `count` series that rank highest over the whole range; `passes/series-top.ts`
 * finds them.
 */
interface TopSeriesPlan {
  readonly kind: 'topSeries';
  readonly schema: Schema;
  readonly input: Plan;
  readonly count: number;
}

interface SamplePlan {
  readonly kind: 'sample';
  readonly schema: Schema;
  readonly input: Plan;
  readonly fraction: number;
}

/**
 * Rows of all inputs. `columns` gives each output column its expression per input; a missing one is
 * null.
 */
export interface UnionPlan {
  readonly kind: 'union';
  readonly schema: Schema;
  readonly inputs: readonly Plan[];
  readonly columns: readonly {
    readonly id: ColumnId;
    readonly type: ScalarType;
    readonly from: readonly (Scalar | undefined)[];
  }[];
}

export type JoinStyle =
  | 'inner'
  | 'innerunique'
  | 'leftouter'
  | 'rightouter'
  | 'fullouter'
  | 'leftsemi'
  | 'rightsemi'
  | 'leftanti'
  | 'rightanti';

export interface JoinPlan {
  readonly kind: 'join';
  readonly schema: Schema;
  readonly join: JoinStyle;
  readonly left: Plan;
  readonly right: Plan;
  readonly on: readonly { readonly left: Scalar; readonly right: Scalar }[];
  /** Whether a null key matches a null; by default it matches nothing. */
  readonly nullsMatch?: boolean;
}

/** Rows multiplied by the elements of arrays (JSON texts), in lock-step, padded with null. */
export interface ExpandPlan {
  readonly kind: 'expand';
  readonly schema: Schema;
  readonly input: Plan;
  /**
   * Each array's elements, as dynamic values in the new column. Objects give one-pair objects, or
   * [key, value] pairs.
   */
  readonly arrays: readonly { readonly id: ColumnId; readonly expr: Scalar }[];
  readonly bag: boolean;
  readonly index?: ColumnId;
  readonly limit?: number;
}
