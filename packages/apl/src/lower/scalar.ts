import { call, cast } from '@millrace/sql';
import type { Expr, Query } from '@millrace/sql';
import type { AggregateCall, AggregateContext } from '../aggregates/define.js';
import type { LoweredArgument, LowerContext } from '../functions/define.js';
import { consume } from '../model/compile-budget.js';
import type { Plan } from '../plan/nodes.js';
import type { ColumnId, Scalar } from '../plan/scalar.js';
import { clickhouseType } from '../model/types.js';
import { orFalse, withoutOrFalse } from './equality.js';
import { readsJson, withoutDictionary } from './json/json-calls.js';
import { constantOf, convert, nullOf, represent } from './values.js';

/**
 * Context for lowering an expression: the SQL of its columns, and the conversion of an inner
 * pipeline to a query.
 */
export interface ScalarScope {
  readonly columns: Pick<ReadonlyMap<ColumnId, Expr>, 'get'>;
  readonly context: LowerContext;
  readonly query: (plan: Plan) => Query;
  /** Present if an expression has the same SQL wherever it stands in this scope. */
  readonly memo?: LoweringMemo;
}

/**
 * What has been lowered in a scope. A query names a value with `let` and uses it many times, so an
 * expression may be a part of thousands of others: without this, each would be lowered again.
 */
export interface LoweringMemo {
  readonly lowered: {
    get(scalar: Scalar): LoweredArgument | undefined;
    set(scalar: Scalar, lowered: LoweredArgument): unknown;
  };
  /** How often something was lowered that differs each time: such an expression is not kept. */
  changing: number;
}

/** SQL of a column. */
export function columnIn({ columns }: Pick<ScalarScope, 'columns'>, id: ColumnId): Expr {
  const sql = columns.get(id);
  if (sql === undefined) throw new RangeError(`column out of reach: ${id}`);
  return sql;
}

/** SQL of a typed expression. */
export function lowerScalar(scalar: Scalar, scope: ScalarScope): LoweredArgument {
  const { memo } = scope;
  if (memo === undefined || scalar.kind === 'constant' || scalar.kind === 'column') return lowerEach(scalar, scope);
  const known = memo.lowered.get(scalar);
  if (known !== undefined) return known;
  const before = memo.changing;
  const lowered = lowerEach(scalar, scope);
  if (memo.changing === before) memo.lowered.set(scalar, lowered);
  return lowered;
}

function lowerEach(scalar: Scalar, scope: ScalarScope): LoweredArgument {
  switch (scalar.kind) {
    case 'constant':
      return constantOf(scalar.type, scalar.value);
    case 'column':
      return { sql: columnIn(scope, scalar.id), type: scalar.type };
    case 'call': {
      // A search of all fields is one call with hundreds of columns.
      consume(1 + scalar.args.length * 0.2);
      const args = scalar.args.map((arg) => lowerScalar(arg, scope));
      const { overload, type } = scalar;
      let sql = overload.lower(args, scope.context, type);
      if (args.some((arg) => arg.type === 'string') && readsJson(sql))
        sql = overload.lower(withoutDictionary(args), scope.context, type);
      return { sql: represent(sql, type), type };
    }
    case 'convert': {
      const converted = convert(lowerScalar(scalar.operand, scope), scalar.type);
      if (converted === undefined) throw new RangeError(`no conversion to ${scalar.type}`);
      return converted;
    }
    case 'inPlan': {
      if (scope.memo !== undefined) scope.memo.changing++;
      const needle = lowerScalar(scalar.needle, scope).sql;
      return { sql: orFalse({ kind: 'inSubquery', needle, query: scope.query(scalar.plan) }), type: 'bool' };
    }
    case 'scalarPlan':
      if (scope.memo !== undefined) scope.memo.changing++;
      // An empty subquery is NULL, whose type the engine would guess.
      return {
        sql: cast({ kind: 'scalarSubquery', query: scope.query(scalar.plan) }, clickhouseType[scalar.type]),
        type: scalar.type,
      };
  }
}

/** SQL of aggregates over rows described by the scope. */
export function lowerAggregates(
  aggregates: readonly AggregateCall[],
  scope: ScalarScope,
  grouping: Pick<AggregateContext, 'bucket' | 'grouped'>,
): readonly Expr[] {
  const lowered = aggregates.map((aggregate) => ({ aggregate, ...lowerArguments(aggregate, scope) }));
  const together = new Map<AggregateCall['overload'], (readonly LoweredArgument[])[]>();
  for (const { aggregate, args } of lowered) {
    const others = together.get(aggregate.overload);
    if (others === undefined) together.set(aggregate.overload, [args]);
    else others.push(args);
  }
  return lowered.map(({ aggregate: { overload, type }, args, condition }) => {
    const context: AggregateContext = { ...scope.context, together: together.get(overload)!, ...grouping };
    return represent(overload.lower(args, context, condition), type);
  });
}

function lowerArguments(
  aggregate: AggregateCall,
  scope: ScalarScope,
): { readonly args: readonly LoweredArgument[]; readonly condition?: Expr } {
  if (aggregate.condition === undefined) return { args: aggregate.args.map((scalar) => lowerScalar(scalar, scope)) };
  const condition = lowerScalar(aggregate.condition, scope).sql;
  const { params } = aggregate.overload;
  const args = aggregate.args.map((scalar, i): LoweredArgument => {
    const arg = lowerScalar(scalar, scope);
    // Constant parameters (how to aggregate) stay as they are; a constant value must still count
    // only in rows where the condition is true.
    const isValue = params[i] !== undefined && params[i].constant !== true;
    if (scalar.kind === 'constant' && !isValue) return arg;
    return { type: arg.type, sql: call('if', condition, arg.sql, nullOf(arg.type)) };
  });
  return { args, condition };
}

/**
 * The form of a condition for WHERE and HAVING, where null counts as false anyway: guards against
 * null are removed, so that the engine recognizes comparisons with the primary key.
 */
export function filterForm(condition: Expr): Expr {
  if (condition.kind !== 'call') return condition;
  if (condition.name === 'and' || condition.name === 'or')
    return { ...condition, args: condition.args.map(filterForm) };
  const inner = withoutOrFalse(condition);
  return inner === condition ? condition : filterForm(inner);
}

/**
 * A literal as a group key could be taken for a position. With `identity` it stays a constant, so
 * the engine makes no group without rows.
 */
export const groupKey = (expr: Expr): Expr => (expr.kind === 'literal' ? call('identity', expr) : expr);

/**
 * A key that makes the same groups with fewer bytes: parts of a time fit into one or two, but as
 * `Int64` they take eight in every key. The column of the result is unchanged, computed once per
 * group.
 */
export function narrowKey(expr: Expr): Expr {
  const [inner] = expr.kind === 'call' && expr.name === 'toInt64' ? expr.args : [];
  return inner !== undefined && isNarrow(inner) ? inner : expr;
}

const isNarrow = (expr: Expr): boolean =>
  expr.kind === 'call' && (narrowIntegers.has(expr.name) || (expr.name === 'modulo' && isNarrow(expr.args[0]!)));

const narrowIntegers: ReadonlySet<string> = new Set([
  'toYear',
  'toQuarter',
  'toMonth',
  'toISOWeek',
  'toDayOfYear',
  'toDayOfMonth',
  'toDayOfWeek',
  'toHour',
  'toMinute',
  'toSecond',
]);
