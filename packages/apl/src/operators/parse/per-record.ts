import { aggregateNamed } from '../../aggregates/index.js';
import { bindSingle } from '../../bind/context.js';
import { bothOf } from '../../bind/conditions/logic.js';
import { hoist } from '../../passes/windows.js';
import type { AggregatePlan, ComputedColumn, ExpandPlan, Plan } from '../../plan/nodes.js';
import { columnOf, constant } from '../../plan/scalar.js';
import type { ColumnId, Scalar } from '../../plan/scalar.js';
import { carriedIn } from '../../plan/schema.js';
import type { Field } from '../../plan/schema.js';
import type { ScalarType } from '../../model/types.js';
import { parseExpression } from '../../syntax/parse.js';
import { project } from '../columns.js';
import type { OperatorContext } from '../define.js';

/** The column that identifies a record, and the record's columns under their current ids. */
interface Records {
  readonly record: ColumnId;
  readonly type: ScalarType;
  readonly kept: readonly Field[];
  readonly context: OperatorContext;
}

interface PerRecord {
  readonly plan: Plan;
  readonly kept: readonly Field[];
  /**
   * Set where rows are marked instead of dropped: only rows with true in this column belong to the
   * result. Every record thus keeps a row, from which an aggregation without groups makes the one
   * row it makes of empty input.
   */
  readonly remains?: ColumnId;
}

/**
 * The body's plan with limits, aggregations and functions of other rows per record; undefined if it
 * reads other tables.
 */
export const perRecord = (whole: Plan, base: Plan, records: Records): PerRecord | undefined =>
  apply(whole, base, records, false);

/**
 * @param marks whether rows must be marked instead of dropped, as an aggregation without groups
 * follows
 */
function apply(whole: Plan, base: Plan, records: Records, marks: boolean): PerRecord | undefined {
  if (whole === base) return { plan: whole, kept: records.kept };
  const { record, context } = records;
  const plan = hoist(whole, (like) => context.query.fresh(like));
  if (!('input' in plan)) return undefined;
  const fillsIn = plan.kind === 'aggregate' && plan.groups.length === 0;
  const inner = apply(plan.input, base, records, marks || fillsIn);
  if (inner === undefined) return undefined;
  const input = inner.plan;
  switch (plan.kind) {
    case 'filter':
      return marks ? markRecords(inner, plan.predicate, context) : { ...inner, plan: { ...plan, input } };
    case 'sample':
      if (!marks) return { ...inner, plan: { ...plan, input } };
      return markRecords(inner, condition(`rand() < ${plan.fraction}`, [], context), context);
    // A record has one time, so its greatest series are its first rows.
    case 'topSeries':
    case 'limit': {
      if (marks && plan.count === 0) return markRecords(inner, constant('bool', false), context);
      const by = [...(plan.kind === 'limit' ? (plan.by ?? []) : []), record, ...markOf(inner)];
      return { ...inner, plan: { ...plan, kind: 'limit', input, by } };
    }
    case 'project':
      return { ...inner, plan: { ...plan, input, per: [...(plan.per ?? []), record, ...markOf(inner)] } };
    case 'sort':
      return { ...inner, plan: { ...plan, input } };
    case 'expand':
      return marks ? expandRecords(plan, inner, context) : { ...inner, plan: { ...plan, input } };
    case 'aggregate':
      return aggregate(plan, inner, records);
  }
}

const markOf = ({ remains }: PerRecord): readonly ColumnId[] => (remains === undefined ? [] : [remains]);

/** A condition written in the language over columns with these names. */
const condition = (text: string, fields: readonly Field[], context: OperatorContext): Scalar =>
  bindSingle(parseExpression(text).expr, context.scalarScope({ fields }));

/** The rows with a mark that holds only where the condition is true. */
function markRecords({ plan, kept, remains }: PerRecord, test: Scalar, context: OperatorContext): PerRecord {
  const tested = context.query.fresh('tested');
  const rows = project(plan, plan.schema.fields, [{ id: tested, expr: test }]);
  if (remains === undefined) return { plan: rows, kept, remains: tested };
  const id = context.query.fresh('remains');
  const both = bothOf(columnOf({ type: 'bool', id: remains }), columnOf({ type: 'bool', id: tested }), context.query);
  return { plan: project(rows, rows.schema.fields, [{ id, expr: both }]), kept, remains: id };
}

const boolField = (name: string, id: ColumnId): Field => ({ name, readings: [{ type: 'bool', id }] });

/**
 * Expands the rows. Rows that would expand to none, and rows already marked as dropped, keep a
 * single marked row.
 */
function expandRecords(plan: ExpandPlan, inner: PerRecord, context: OperatorContext): PerRecord {
  const { query } = context;
  const arrays = plan.arrays.map(({ expr }, i): ComputedColumn & { readonly field: Field } => {
    const id = query.fresh('expanded');
    return { id, expr, field: { name: `a${i}`, readings: [{ type: 'dynamic', id }] } };
  });
  const fields = arrays.map(({ field }) => field);
  const isEmpty = ({ name }: Field): string => `(array_length(${name}) == 0 or array_length(bag_keys(${name})) == 0)`;
  const input = project(inner.plan, inner.plan.schema.fields, arrays);
  const hasElements = plan.limit === 0 ? 'false' : `not(${fields.map(isEmpty).join(' and ')})`;
  const full = markRecords({ ...inner, plan: input }, condition(hasElements, fields, context), context);
  const guarded = arrays.map(({ id, field }): ComputedColumn => {
    const mark = boolField('remains', full.remains!);
    return {
      id: query.fresh(id),
      expr: condition(`iff(remains, ${field.name}, dynamic(null))`, [mark, field], context),
    };
  });
  const { limit, ...unlimited } = plan;
  const rows: Plan = {
    ...unlimited,
    input: project(full.plan, full.plan.schema.fields, guarded),
    arrays: plan.arrays.map(({ id }, i) => ({ id, expr: columnOf({ type: 'dynamic', id: guarded[i]!.id }) })),
    ...(limit === undefined || limit === 0 ? {} : { limit }),
  };
  return { ...full, plan: rows };
}

/**
 * An aggregation per record that carries the record's columns along: they are equal in all its
 * rows.
 */
function aggregate(plan: AggregatePlan, inner: PerRecord, { record, type: recordType, context }: Records): PerRecord {
  const overload = aggregateNamed('take_any')?.overloads[0];
  if (overload === undefined) throw new RangeError('no aggregate take_any');
  const carried: AggregatePlan['aggregates'][number][] = [];
  const kept = inner.kept.map((field): Field => {
    const readings = field.readings.map((reading) => {
      const id = context.query.fresh(field.name);
      const { type } = reading;
      carried.push({ id, call: { name: 'take_any', type, overload, args: [columnOf(reading)] } });
      return { type, id };
    });
    return carriedIn(readings, field);
  });
  const { remains } = inner;
  const whole = { ...plan, input: inner.plan };
  const records: ComputedColumn = { id: record, expr: columnOf({ type: recordType, id: record }) };
  if (remains === undefined)
    return {
      plan: { ...whole, groups: [records, ...plan.groups], aggregates: [...plan.aggregates, ...carried] },
      kept,
    };
  // Dropped rows form separate groups …
  if (plan.groups.length > 0) {
    const groups = [records, { id: remains, expr: columnOf({ type: 'bool', id: remains }) }, ...plan.groups];
    return { plan: { ...whole, groups, aggregates: [...plan.aggregates, ...carried] }, kept, remains };
  }
  // … until the remaining rows are aggregated to one row.
  const mark = columnOf({ type: 'bool', id: remains });
  const aggregates = plan.aggregates.map(({ id, call: { condition: own, ...call } }) => ({
    id,
    call: { ...call, condition: own === undefined ? mark : bothOf(mark, own, context.query) },
  }));
  return { plan: { ...whole, groups: [records], aggregates: [...aggregates, ...carried] }, kept };
}
