import type { AggregateCall } from '../../aggregates/define.js';
import type { Bound, ColumnId, Scalar } from '../../plan/scalar.js';
import type { AggregateInfo, Schema } from '../../plan/schema.js';
import type { CallExpr } from '../../syntax/ast.js';
import type { Scope } from '../context.js';

/** An aggregate met in an expression, with the column that will hold its result. */
export interface CollectedAggregate {
  readonly id: ColumnId;
  readonly call: AggregateCall;
  readonly info: AggregateInfo;
  /** The integers among the values, if these are only known to be numbers. */
  readonly whole?: Scalar;
}

/**
 * Allows aggregates in an expression: each is set aside and replaced by the column of its result.
 * Inside an aggregate the columns are those of the rows; outside only the group columns may be
 * named.
 */
export interface AggregateCollector {
  readonly found: CollectedAggregate[];
  /** The columns of the rows that are aggregated. */
  readonly rows: Schema;
  readonly bind: (call: CallExpr, scope: Scope) => Bound | undefined;
}
