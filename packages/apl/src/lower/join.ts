import { and, call } from '@millrace/sql';
import type { Expr, JoinKind, JoinStrictness, Source } from '@millrace/sql';
import type { JoinPlan, JoinStyle } from '../plan/nodes.js';
import { oneZero } from './equality.js';
import { lowerScalar } from './scalar.js';
import type { ScalarScope } from './scalar.js';

/** `innerunique` takes one matching row of the right side for each row of the left: what a semi join gives, columns included. */
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

/** Columns of both sides keep their names, which are unique in a query, so nothing needs a qualifier. Null keys match nothing unless told. */
export function joinSource(
  plan: JoinPlan,
  left: ScalarScope,
  right: ScalarScope,
  leftSource: Source | undefined,
  rightSource: Source | undefined,
): Source {
  if (leftSource === undefined || rightSource === undefined) throw new RangeError('a join needs two sources');
  const equals = plan.nullsMatch === true ? 'isNotDistinctFrom' : 'equals';
  const on = plan.on.map((pair): Expr =>
    call(equals, oneZero(lowerScalar(pair.left, left)), oneZero(lowerScalar(pair.right, right))),
  );
  return {
    kind: 'join',
    ...styles[plan.join],
    left: aliased(leftSource, 'left@'),
    right: aliased(rightSource, 'right@'),
    on: and(...on),
  };
}

const aliased = (source: Source, alias: string): Source => (source.kind === 'join' ? source : { ...source, alias });
