import { and, call } from '@millrace/sql';
import type { Expr, JoinKind, JoinStrictness, Source } from '@millrace/sql';
import type { JoinPlan, JoinStyle } from '../../plan/nodes.js';
import type { ColumnId, Scalar } from '../../plan/scalar.js';
import { oneZero } from '../equality.js';
import { isLimited, type Relation } from './relation.js';
import { lowerScalar } from '../scalar.js';
import type { ScalarScope } from '../scalar.js';

/**
 * `innerunique` takes one matching row of the right side for each row of the left, as a semi join
 * does, which also has the right columns.
 */
const styles: Readonly<Record<JoinStyle, { readonly join: JoinKind; readonly strictness: JoinStrictness }>> = {
  inner: { join: 'inner', strictness: 'all' },
  innerunique: { join: 'left', strictness: 'semi' },
  leftouter: { join: 'left', strictness: 'all' },
  rightouter: { join: 'right', strictness: 'all' },
  fullouter: { join: 'full', strictness: 'all' },
  leftsemi: { join: 'left', strictness: 'semi' },
  rightsemi: { join: 'right', strictness: 'semi' },
  leftanti: { join: 'left', strictness: 'anti' },
  rightanti: { join: 'right', strictness: 'anti' },
};

/** Styles that keep only rows with a match, so none without a key. */
const matchedOnly: ReadonlySet<JoinStyle> = new Set(['inner', 'innerunique', 'leftsemi', 'rightsemi']);

/**
 * A side of a join without the rows that match nothing because a key is null: then the keys cannot
 * be null, and the engine joins in two thirds to five sixths of the time. Applies to keys that are
 * plain columns of a dataset, where a condition can still be added.
 */
export function withoutNullKeys(plan: JoinPlan, relation: Relation, keys: readonly Scalar[]): Relation {
  const isPlain = !isLimited(relation) && relation.windowed !== true && relation.groupBy === undefined;
  // In a subquery a column keeps its name, so the engine would apply the condition to the column
  // that results.
  if (!isPlain || relation.from?.kind !== 'table' || plan.nullsMatch === true || !matchedOnly.has(plan.join))
    return relation;
  const present = new Map<ColumnId, Expr>();
  for (const key of keys) {
    const read = key.kind === 'column' ? relation.columns.get(key.id) : undefined;
    if (key.kind === 'column' && read?.kind === 'column') present.set(key.id, read);
  }
  return {
    ...relation,
    columns: new Map(
      [...relation.columns].map(([id, expr]) => [id, present.has(id) ? call('assumeNotNull', expr) : expr]),
    ),
    where: [...relation.where, ...[...present.values()].map((key) => call('isNotNull', key))],
  };
}

/** A side of a join: its source, and the scope of its key. */
interface Side {
  readonly source: Source | undefined;
  readonly scope: ScalarScope;
}

/**
 * Column names are unique in a query, so those of both sides need no qualifier. Null keys match
 * nothing unless the plan says so.
 */
export function joinSource(plan: JoinPlan, left: Side, right: Side): Source {
  const on = plan.on.map((pair): Expr => {
    const [l, r] = [lowerScalar(pair.left, left.scope), lowerScalar(pair.right, right.scope)];
    return plan.nullsMatch === true ? call('isNotDistinctFrom', oneZero(l), oneZero(r)) : call('equals', l.sql, r.sql);
  });
  return {
    kind: 'join',
    ...styles[plan.join],
    left: aliasSource(left.source, '@left'),
    right: aliasSource(right.source, '@right'),
    on: and(...on),
  };
}

function aliasSource(source: Source | undefined, alias: string): Source {
  if (source === undefined) throw new RangeError('a join needs two sources');
  return source.kind === 'join' ? source : { ...source, alias };
}
