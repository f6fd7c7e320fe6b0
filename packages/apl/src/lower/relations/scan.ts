import { call, column, descendingKey, integer } from '@millrace/sql';
import type { Expr, OrderKey } from '@millrace/sql';
import type { ScanPlan, TimeRange } from '../../plan/nodes.js';
import type { ColumnId } from '../../plan/scalar.js';
import type { Schema } from '../../plan/schema.js';
import { emptyRelation } from './relation.js';
import type { Relation } from './relation.js';
import { instantAt } from '../values.js';

/** A dataset's table within its time range; events come newest first. */
export function scan(plan: ScanPlan): Relation {
  const where: Expr[] = plan.range === undefined ? [] : [...withinRange(plan.range)];
  if (plan.beyond !== undefined) where.push(isBeyond(plan.beyond, [column('_time'), column('_seq'), column('_row')]));
  return {
    ...emptyRelation,
    from: { kind: 'table', database: plan.database, name: plan.table },
    columns: plan.columns,
    texts: textsOf(plan),
    where,
    order: [descendingKey(column('_time')), descendingKey(column('_seq')), descendingKey(column('_row'))],
  };
}

/** The columns of stored texts. */
function textsOf({ schema: { fields, rest } }: ScanPlan): ReadonlySet<ColumnId> {
  const readings = fields.flatMap((field) => field.readings);
  const texts = readings.filter(({ type }) => type === 'string' || type === 'array' || type === 'bag');
  return new Set([...texts.map(({ id }) => id), ...(rest === undefined ? [] : [rest.text])]);
}

/** Whether a row, by the parts of its row id, is beyond a position. */
export const isBeyond = (
  { time, seq, row, older, inclusive }: NonNullable<ScanPlan['beyond']>,
  place: readonly Expr[],
): Expr =>
  call(
    `${older ? 'less' : 'greater'}${inclusive ? 'OrEquals' : ''}`,
    call('tuple', ...place),
    call('tuple', instantAt(time), call('toUInt64', integer(seq)), integer(row)),
  );

/**
 * All times an event can have, from 1900 to the end of 2261: the range of a request without bounds.
 */
export const allTimes: TimeRange = { start: -2_208_988_800_000_000_000n, end: 9_214_646_399_999_999_999n };

/**
 * Conditions on the bare column, so that the primary key and the partitions prune. Bounds that
 * exclude nothing are omitted. They are declared, for callers that know the times of all events.
 */
const withinRange = ({ start, end }: TimeRange): readonly Expr[] => [
  ...(start <= allTimes.start
    ? []
    : [{ ...call('greaterOrEquals', column('_time'), instantAt(start)), bound: { start } }]),
  ...(end >= allTimes.end ? [] : [{ ...call('lessOrEquals', column('_time'), instantAt(end)), bound: { end } }]),
];

/** The order of events, by the columns of their row id; none if the rows are not events. */
export function newestFirst(schema: Schema): readonly OrderKey[] {
  if (schema.rowId === undefined) return [];
  const { time, seq, row } = schema.rowId;
  return [time, seq, row].map((id) => descendingKey(column(id)));
}
